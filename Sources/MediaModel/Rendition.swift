/// An encoded thumbnail.
public struct Rendition: Hashable, Sendable {
  /// What a rendition was made from.
  public enum Source: String, Codable, Sendable {
    /// The image itself; of an animation one frame or all.
    case image
    /// A poster frame of a video.
    case poster
    /// The cover image of an audio file.
    case cover
    /// The waveform of an audio file.
    case waveform
    /// The first page of a document.
    case page
    /// The thumbnail that is embedded in the file: in a draft, and of camera raws and contacts.
    case embedded
  }

  /// The name from the request.
  public var name: String
  /// The media type of ``data``.
  public var type: MediaType
  /// Width in pixels.
  public var width: Int
  /// Height of one frame in pixels.
  public var height: Int
  /// Number of frames; 1 for a still image.
  public var frames: Int
  /// What the rendition was made from.
  public var from: Source
  /// The encoder quality; nil for a lossless format.
  public var quality: Int?
  /// Structural similarity (SSIM) to the source, when requested with ``RenditionRequest/comparedIn``. 1 means
  /// identical.
  ///
  /// Compares the luma of the encoded file with that of its source image. Both are upright, on white, and as large as
  /// the image is in that box.
  public var similarity: Double?
  /// The encoded file: upright, in the requested color space, without metadata.
  public var data: [UInt8]

  /// A still image by default. Size and type must be those of `data`; they are not checked.
  public init(
    name: String, type: MediaType, width: Int, height: Int, frames: Int = 1, from: Source, quality: Int? = nil,
    similarity: Double? = nil, data: [UInt8]
  ) {
    self.name = name
    self.type = type
    self.width = width
    self.height = height
    self.frames = frames
    self.from = from
    self.quality = quality
    self.similarity = similarity
    self.data = data
  }
}
