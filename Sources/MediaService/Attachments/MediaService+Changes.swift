public import MediaLibrary

extension MediaService {
  /// Changes what the owner states of an attachment.
  /// - Parameter version: The version that the caller has seen (``Attachment/version``). If it is not the present one, nothing is changed, so that
  ///   no change is lost (R-MYM-13). Default nil: whatever the version is.
  /// - Throws: ``ServiceError/notFound``, ``ServiceError/Code/forbidden`` without the scope, ``ServiceError/Code/preconditionFailed`` for another version,
  ///   ``ServiceError/Code/invalidRequest`` beyond a limit.
  public func change(
    _ id: FileID, _ change: AttachmentChange, ifVersion version: String? = nil, for caller: Caller
  ) async throws(ServiceError) -> Attachment {
    try await ServiceError.mapping {
      try check(change)
      _ = try await owned(id, by: caller)
      let (library, database) = (library.library, database)
      let maxLabels = configuration.limits.labels
      // One thread changes the catalogue, so between the comparison and the change nobody else does.
      try await self.library.writing.run {
        guard let file = try library.catalogue.file(id), caller.owns(file) else { throw ServiceError.notFound }
        try database.writeBlocking { db in
          let record = try AttachmentRecord.read(id, db)
          if record.isErased { throw ServiceError.notFound }
          if let version, try Self.version(of: file, record) != version {
            throw ServiceError(.preconditionFailed, "The attachment has changed since it was read; read it again.")
          }
          let labels = change.labels(instead: record.labels)
          guard labels.count <= maxLabels else {
            throw ServiceError(
              .invalidRequest, "The attachment would have \(labels.count) labels; the limit is \(maxLabels).",
              numbers: ["limit": maxLabels, "actual": labels.count])
          }
          if labels != record.labels {
            try AttachmentRecord.setLabels(labels, of: id, owner: file.owner, db)
          }
          try Self.apply(change, to: file, in: library.catalogue)
        }
      }
      feed.publish(.changed([id]), for: caller.owner)
      return try describe(try await owned(id, by: caller), for: caller)
    }
  }

  private static func apply(
    _ change: AttachmentChange, to file: CatalogueFile, in catalogue: any MediaCatalogue
  ) throws(LibraryError) {
    if change.title != .unchanged || change.caption != .unchanged {
      try catalogue.setText(
        of: file.id, title: change.title.value(instead: file.title),
        caption: change.caption.value(instead: file.caption))
    }
    switch change.location {
    case .unchanged: break
    case .removed: try catalogue.setLocation(of: file.id, nil)
    case .set(let location): try catalogue.setLocation(of: file.id, location)
    }
    switch change.collection {
    case .unchanged: break
    case .removed: try catalogue.assign([file.id], owner: file.owner, collection: .none)
    case .set(let name): try catalogue.assign([file.id], owner: file.owner, collection: .named(name))
    }
  }

  private func check(_ change: AttachmentChange) throws {
    for field in [change.title, change.caption, change.collection] {
      guard case .set(let text) = field else { continue }
      try check(text, limit: configuration.limits.textLength)
    }
    for field in [change.labels, change.originalLabels] {
      guard case .set(let labels) = field else { continue }
      for label in labels {
        if label.isEmpty {
          throw ServiceError(.invalidRequest, "`labels` or `originalLabels` contains an empty label.")
        }
        try check(label, limit: FieldLimits.label)
      }
    }
  }

  private func check(_ text: String, limit: Int) throws {
    let length = text.unicodeScalars.count
    guard length <= limit else {
      throw ServiceError(
        .invalidRequest, "A title, caption, collection or label has \(length) characters; the limit is \(limit).",
        numbers: ["limit": limit, "actual": length])
    }
  }
}

extension MediaService.AttachmentChange {
  /// The labels after the change. One that is in both lists allows the original.
  func labels(instead old: [String: Bool]) -> [String: Bool] {
    let view = labels.value(instead: old.filter { !$0.value }.map(\.key)) ?? []
    let original = originalLabels.value(instead: old.filter(\.value).map(\.key)) ?? []
    return Dictionary(view.map { ($0, false) } + original.map { ($0, true) }) { $0 || $1 }
  }
}
