internal import MediaModel

/// Files of the library that look like blocked images. None is hidden by its look alone: who blocks an image, or scans, asks for it (docs/decisions/0144).
extension Moderation {
  /// The actor of files that are quarantined because of how they look.
  public static let similarity = "similarity"
  /// Why: without the moderator's text, which may be about the owner of the blocked image and is erased with it.
  package static let similarityReason = "looks like a blocked image"

  /// Quarantines the files of the library that look like an image, except those about which a moderator has decided: protected files, and those that were
  /// quarantined and released. Reads the whole catalogue.
  /// - Parameters:
  ///   - distance: The distance up to which a file counts as a near-duplicate. Default ``ImageHash/standardDistance``.
  ///   - time: When, in seconds since 1970.
  /// - Returns: The files that are quarantined because of this, the nearest first.
  @discardableResult
  public func quarantineFiles(
    like hash: ImageHash, within distance: Int = ImageHash.standardDistance, at time: Int
  ) throws(LibraryError) -> [FileID] {
    try quarantineUndecided(imageIndex().files(like: hash, within: distance).map(\.file), at: time)
  }

  /// Quarantines a file if it looks like a blocked image, by the same rule.
  /// - Returns: Whether it is quarantined because of this.
  @discardableResult
  package func quarantineIfSimilar(_ file: CatalogueFile, at time: Int) throws(LibraryError) -> Bool {
    guard let hash = file.placeholder.flatMap({ ImageHash(thumbhash: $0.thumbhash) }), try imageBlock(of: hash) != nil
    else { return false }
    return try !quarantineUndecided([file.id], at: time).isEmpty
  }

  /// Quarantines those of some files that nobody has decided about. A file that was erased meanwhile is skipped; a hundred files are one transaction.
  package func quarantineUndecided(_ files: [FileID], at time: Int) throws(LibraryError) -> [FileID] {
    let decision = Decision(reason: Self.similarityReason, actor: Self.similarity, time: time)
    var hidden: [FileID] = []
    for start in stride(from: 0, to: files.count, by: 100) {
      hidden += try database.quarantineUndecided(files[start..<min(start + 100, files.count)], decision)
    }
    return hidden
  }

  /// Whether a moderator has released or protected a file.
  package func isDecided(_ file: FileID) throws(LibraryError) -> Bool { try database.isDecided(file) }
}
