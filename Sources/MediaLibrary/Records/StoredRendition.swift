public import MediaModel

/// A rendition whose bytes are in a store.
public struct StoredRendition: Hashable, Codable, Sendable {
  /// The name in the request, such as `grid`; unique for a file content.
  public var name: String
  /// The digest of the bytes in 64 hexadecimal digits, which is their address in the store.
  public var address: String
  /// The media type of the bytes.
  public var type: MediaType
  /// Width in pixels.
  public var width: Int
  /// Height of one frame in pixels.
  public var height: Int
  /// Number of frames; 1 for a still image.
  public var frames: Int
  /// Number of bytes.
  public var bytes: Int
  /// The part of the file from which it was made.
  public var from: Rendition.Source

  /// A rendition that was put into a store at an address.
  public init(_ rendition: Rendition, address: ContentDigest) {
    (name, type, width, height) = (rendition.name, rendition.type, rendition.width, rendition.height)
    (frames, bytes, from) = (rendition.frames, rendition.data.count, rendition.from)
    self.address = address.description
  }

  /// A rendition with these values.
  public init(
    name: String, address: ContentDigest, type: MediaType, width: Int, height: Int, frames: Int = 1, bytes: Int,
    from: Rendition.Source
  ) {
    (self.name, self.address, self.type) = (name, address.description, type)
    (self.width, self.height, self.frames, self.bytes, self.from) = (width, height, frames, bytes, from)
  }

  /// The address as bytes; nil if it is not a digest.
  public var digest: ContentDigest? { ContentDigest(hexadecimal: address) }
}
