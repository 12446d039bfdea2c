extension MediaInfo {
  /// The thumbnail that a camera or an editor embedded in the file.
  public struct EmbeddedThumbnail: Hashable, Codable, Sendable {
    /// Width in pixels as stored.
    public var width: Int
    /// Height in pixels as stored.
    public var height: Int
    /// Size in bytes.
    public var bytes: Int
    /// The byte offset in the file, for a complete JPEG that is stored contiguously; otherwise nil.
    public var offset: Int?

    /// Creates the description of a thumbnail. Pass `offset` only for a JPEG that is stored contiguously.
    public init(width: Int, height: Int, bytes: Int, offset: Int? = nil) {
      self.width = width
      self.height = height
      self.bytes = bytes
      self.offset = offset
    }
  }
}
