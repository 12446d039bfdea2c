/// The thumbnail that a file carries of itself.
public struct EmbeddedThumbnail: Hashable, Codable, Sendable {
  /// Columns as stored.
  public var width: Int
  /// Rows as stored.
  public var height: Int
  /// Size in bytes.
  public var bytes: Int
  /// Where its bytes begin in the file, when they stand there in one piece and are a whole JPEG.
  public var offset: Int?

  /// A thumbnail of that size; `offset` only for a JPEG in one piece.
  public init(width: Int, height: Int, bytes: Int, offset: Int? = nil) {
    self.width = width
    self.height = height
    self.bytes = bytes
    self.offset = offset
  }
}
