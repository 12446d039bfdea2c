/// One thumbnail that was made.
public struct Rendition: Hashable, Sendable {
  /// Out of what a rendition was made.
  public enum Source: String, Codable, Sendable {
    /// The image itself.
    case image
    /// A frame of a video.
    case poster
    /// The cover of an audio file.
    case cover
    /// The waveform of an audio file.
    case waveform
    /// The first page of a document.
    case page
    /// The thumbnail that the file carries of itself.
    case embedded
  }

  /// The name in the request.
  public var name: String
  /// The media type of ``data``.
  public var type: MediaType
  /// Columns.
  public var width: Int
  /// Rows, of one frame.
  public var height: Int
  /// Frames; 1 for a still.
  public var frames: Int
  /// Out of what it was made.
  public var from: Source
  /// The quality it was encoded with; nil for a lossless format.
  public var quality: Int?
  /// How much of the image is still to be seen, when that was asked for (``RenditionRequest/comparedIn``): the structural similarity (SSIM) of the
  /// luma of the finished file and of the image it was made of, both upright, on white, as large as the image is in that box. 1 for no difference.
  public var similarity: Double?
  /// The file: upright, in the colour space asked for, without metadata.
  public var data: [UInt8]

  /// A rendition of those facts.
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
