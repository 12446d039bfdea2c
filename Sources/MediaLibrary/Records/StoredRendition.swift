public import MediaModel

/// A rendition whose bytes are in a store.
public struct StoredRendition: Hashable, Codable, Sendable {
  /// The name in the request, such as `grid`. A content has one of each name.
  public var name: String
  /// Where the bytes are: their digest in 64 hexadecimal digits.
  public var address: String
  /// The media type of the bytes.
  public var type: MediaType
  /// Columns.
  public var width: Int
  /// Rows, of one frame.
  public var height: Int
  /// Frames; 1 for a still.
  public var frames: Int
  /// How many bytes there are.
  public var bytes: Int
  /// Out of what it was made.
  public var from: Rendition.Source

  /// What became of a rendition that was put into a store.
  public init(_ rendition: Rendition, address: ContentDigest) {
    (name, type, width, height) = (rendition.name, rendition.type, rendition.width, rendition.height)
    (frames, bytes, from) = (rendition.frames, rendition.data.count, rendition.from)
    self.address = address.description
  }

  /// A rendition of those facts.
  public init(
    name: String, address: ContentDigest, type: MediaType, width: Int, height: Int, frames: Int = 1, bytes: Int,
    from: Rendition.Source
  ) {
    (self.name, self.address, self.type) = (name, address.description, type)
    (self.width, self.height, self.frames, self.bytes, self.from) = (width, height, frames, bytes, from)
  }

  /// The address as bytes; nil when it is none.
  public var digest: ContentDigest? { ContentDigest(hexadecimal: address) }
}
