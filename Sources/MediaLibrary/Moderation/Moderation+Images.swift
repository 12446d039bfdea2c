/// Near-duplicates of blocked images. They are not quarantined by themselves, because an image that only looks alike may be another one: who adds files asks
/// ``Moderation/imageBlock(of:)`` and decides.
extension Moderation {
  /// Images that look like one, blocked.
  public struct ImageBlock: Hashable, Sendable {
    /// How the image looks.
    public var hash: ImageHash
    /// The distance up to which another image counts as a near-duplicate of it.
    public var distance: Int
    /// Why it is blocked.
    public var decision: Decision
  }

  /// Some of the blocked images, most recent first.
  public struct ImageBlockPage: Sendable {
    /// At most as many as were asked for.
    public var blocks: [ImageBlock]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
  }

  /// Blocks images that look like one. A hash that is blocked gets the new distance and reason.
  /// - Parameters:
  ///   - distance: Default ``ImageHash/standardDistance``; at most ``ImageHash/maxDistance``.
  ///   - file: The file whose image it is: the audit trail's reason is erased with it. Default nil.
  /// - Throws: ``LibraryError/Code/invalidRequest`` for another distance.
  public func blockImages(
    like hash: ImageHash, within distance: Int = ImageHash.standardDistance, of file: FileID? = nil, reason: String,
    by actor: String, at time: Int
  ) throws(LibraryError) {
    guard (0...ImageHash.maxDistance).contains(distance) else {
      throw LibraryError(
        .invalidRequest, "The distance is \(distance); it must be from 0 to \(ImageHash.maxDistance).")
    }
    try database.blockImages(
      ImageBlock(hash: hash, distance: distance, decision: Decision(reason: reason, actor: actor, time: time)),
      of: file)
  }

  /// Removes the block of images that look like one.
  /// - Parameter file: As in ``blockImages(like:within:of:reason:by:at:)``.
  /// - Returns: Whether this hash was blocked.
  @discardableResult
  public func unblockImages(
    like hash: ImageHash, of file: FileID? = nil, reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) -> Bool {
    try database.unblockImages(like: hash, of: file, Decision(reason: reason, actor: actor, time: time))
  }

  /// Blocks the content of a file, and images that look like it: both or neither.
  /// - Returns: The files that have the content.
  package func block(
    _ content: ContentDigest, withImagesLike hash: ImageHash, of file: FileID, reason: String, by actor: String,
    at time: Int
  ) throws(LibraryError) -> [FileID] {
    let decision = Decision(reason: reason, actor: actor, time: time)
    return try database.block(
      content, with: ImageBlock(hash: hash, distance: ImageHash.standardDistance, decision: decision), of: file)
  }

  /// Quarantines a file, and blocks images that look like it: both or neither. For a file without a digest.
  package func quarantine(
    _ file: FileID, withImagesLike hash: ImageHash, reason: String, by actor: String, at time: Int
  ) throws(LibraryError) {
    let decision = Decision(reason: reason, actor: actor, time: time)
    try database.quarantine(
      file, with: ImageBlock(hash: hash, distance: ImageHash.standardDistance, decision: decision))
  }

  /// Removes the block of a file's content, and that of images that look like it: both or neither. Images stay blocked if the content is not: it only looks like them.
  /// - Returns: The files that have the content; empty if it was not blocked.
  @discardableResult
  package func unblock(
    _ content: ContentDigest, withImagesLike hash: ImageHash, of file: FileID, by actor: String, at time: Int
  ) throws(LibraryError) -> [FileID] {
    let decision = Decision(reason: "", actor: actor, time: time)
    return try database.unblock(content, withImagesLike: hash, of: file, decision)
  }

  /// The blocked image to which an image is nearest, within the distance of its block; nil if there is none. Compares it with all blocked images,
  /// which are kept in memory: 9 bytes each.
  public func imageBlock(of hash: ImageHash) throws(LibraryError) -> ImageBlock? {
    try database.imageBlock(of: hash)
  }

  /// The blocked images in pages, the last ones first.
  public func imageBlocks(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> ImageBlockPage {
    try database.imageBlocks(after: after, limit: limit)
  }

  /// The hashes of all images of the library, in memory: 16 bytes each. Reads the whole catalogue; keep the result for several searches.
  public func imageIndex() throws(LibraryError) -> ImageIndex { try database.imageIndex() }

  /// The hashes of images at one moment.
  public struct ImageIndex: Sendable {
    /// A file that looks like an image.
    public struct Match: Hashable, Sendable {
      /// The file. It may have been erased since.
      public var file: FileID
      /// The number of bits in which the hashes differ, 0 to 64.
      public var distance: Int
    }

    private var hashes = ImageHashes()
    private var files: [FileID] = []

    /// An index without images.
    public init() {}

    /// Number of images.
    public var count: Int { files.count }

    /// Adds the hash of a file, to be compared with others.
    public mutating func add(_ file: FileID, _ hash: ImageHash) {
      hashes.append(hash)
      files.append(file)
    }

    /// The files that look like an image, the nearest first, equally near ones by their ids.
    public func files(like hash: ImageHash, within distance: Int = ImageHash.standardDistance) -> [Match] {
      var matches: [Match] = []
      hashes.search(hash, within: distance) { matches.append(Match(file: files[$0], distance: $1)) }
      return matches.sorted { ($0.distance, $0.file.rawValue) < ($1.distance, $1.file.rawValue) }
    }
  }
}
