internal import AttachmentPolicy
internal import FileSupport
internal import MediaLibrary
internal import MediaModel
internal import MetadataStripping

extension MediaService {
  /// What happens to the metadata of originals: location, dates, device, names, comments. One rule for all owners and kinds of files, as that of messages.
  ///
  /// A file of which metadata cannot be removed counts as one that has some: a mail, an archive, and one above 64 MiB
  /// unless it is an MP4 or QuickTime file.
  public enum OriginalMetadata: String, Sendable, CaseIterable {
    /// Originals are stored and delivered as they were sent.
    case keep
    /// Metadata is removed before an original is stored, and from earlier originals when they are delivered. A file from which it cannot be removed is
    /// refused. Digest and facts are those of the stored file, so it has no capture time and no location.
    case strip
    /// An upload that has metadata is refused, and earlier originals that have some are not delivered.
    case refuse
  }

  /// Applies the rule for originals to a file before it is scanned, examined and stored.
  /// - Returns: The file, or a part file without metadata, which the caller removes after use.
  /// - Throws: `refused` if the rule refuses it; the verdict has the reason `metadata`.
  func underRule(_ file: ArrivedFile) async throws(ServiceError) -> ArrivedFile {
    let rule = configuration.originals
    guard rule != .keep else { return file }
    let examination = FileExamination(engine: engine, rules: configuration.rules)
    let info = try await ServiceError.mapping {
      try await examinations.take(for: file.owner) {
        try await examination.facts(of: file.part.source, claims: file.claims, owner: file.owner)
      }
    }
    let verdict = examination.verdict(on: info, claims: file.claims)
    guard verdict.accepted else { throw .refusal(verdict) }
    guard !Self.isMail(info.type, name: file.claims.name) else { throw Self.refusesMetadata }
    let path = uploads.path(of: Upload.ID())
    return try await ServiceError.mapping {
      try await attachments.stripping.run {
        let descriptor = try FileSystem.openFile(file.part.path)
        defer { FileSystem.release(descriptor) }
        if file.bytes > StrippedOriginals.maxBytes {
          return try Self.largeUnderRule(rule, file, descriptor, info.type, to: path)
        }
        let bytes = try FileSystem.contents(of: descriptor)
        guard
          let stripped = MetadataStripper.stripKeepingAppearance(
            bytes, type: info.type, orientation: info.orientation), stripped == bytes || rule == .strip
        else { throw Self.refusesMetadata }
        guard stripped != bytes else { return file }
        return try Self.written(stripped, to: path, instead: file)
      }
    }
  }

  /// The same for a file that is too large for memory: a copy in which the bytes of its metadata have other values.
  private static func largeUnderRule(
    _ rule: OriginalMetadata, _ file: ArrivedFile, _ descriptor: CInt, _ type: MediaType, to path: PathBytes
  ) throws -> ArrivedFile {
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      defer { buffer.deallocate() }
      let filled = try FileSystem.fill(buffer, from: descriptor, at: offset)
      return Array(buffer[..<filled])
    }
    guard let plan = try MetadataStripper.plan(count: file.bytes, type: type, read: read) else {
      throw refusesMetadata
    }
    guard try plan.changes(read: read) else { return file }
    guard rule == .strip else { throw refusesMetadata }
    return try written(to: path, instead: file, bytes: file.bytes) { part, digest in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { buffer.deallocate() }
      var offset = 0
      while offset < file.bytes {
        let count = try FileSystem.fill(buffer, from: descriptor, at: offset)
        guard count > 0 else {
          throw ServiceError(
            .internalError, "The service failed; its log has the reason.", detail: "a part file was truncated")
        }
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(count, file.bytes - offset)])
        plan.apply(to: piece, at: offset)
        digest.update(UnsafeRawBufferPointer(piece), at: offset)
        try part.write(UnsafeRawBufferPointer(piece), at: offset)
        offset += piece.count
      }
    }
  }

  /// A synced part file with these bytes; nothing of it stays if that fails. After a crash, the next start removes it.
  private static func written(
    _ bytes: [UInt8], to path: PathBytes, instead file: ArrivedFile
  ) throws -> ArrivedFile {
    try written(to: path, instead: file, bytes: bytes.count) { part, digest in
      try bytes.withUnsafeBytes { buffer in
        digest.update(buffer, at: 0)
        try part.write(buffer, at: 0)
      }
    }
  }

  /// A synced part file with what `write` writes into it and adds to its digest; nothing of it stays if that fails.
  private static func written(
    to path: PathBytes, instead file: ArrivedFile, bytes: Int, _ write: (PartFile, inout RunningDigest) throws -> Void
  ) throws -> ArrivedFile {
    do {
      let part = try PartFile(at: path)
      var digest = RunningDigest()
      try write(part, &digest)
      try part.sync()
      guard let digest = digest.digest(of: bytes) else {
        throw ServiceError(.internalError, "The service failed; its log has the reason.", detail: "no digest")
      }
      return ArrivedFile(
        part: part, bytes: bytes, digest: digest, claims: file.claims, owner: file.owner, work: file.work)
    } catch {
      _ = try? FileSystem.removeFile(path)
      throw error
    }
  }

  /// Removes the part file that ``underRule(_:)`` made, if it made one.
  func remove(_ made: ArrivedFile, madeOf sent: ArrivedFile) async {
    guard made.part !== sent.part else { return }
    let path = made.part.path
    _ = try? await uploads.threads.uncancelled { try FileSystem.removeFile(path) }
  }

  private static let refusesMetadata = ServiceError.refusal(FileExamination.refusing(.metadata))
}

extension Verdict.Reason.Code {
  /// The file has metadata that must not be stored, or it cannot be removed.
  static let metadata = Verdict.Reason.Code(rawValue: "metadata")
}
