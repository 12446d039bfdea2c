/// One small picture that was made.
public struct Rendition: Hashable, Sendable {
  /// Out of what a rendition was made.
  public enum Source: String, Codable, Sendable {
    /// The picture itself.
    case image
    /// A frame of a video.
    case poster
    /// The cover of a sound.
    case cover
    /// The waveform of a sound.
    case waveform
    /// The first page of a document.
    case page
    /// The small picture that the file carries of itself.
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
  /// The file: upright, in the colour space asked for, without metadata.
  public var data: [UInt8]

  /// A rendition of those facts.
  public init(
    name: String, type: MediaType, width: Int, height: Int, frames: Int = 1, from: Source, quality: Int? = nil,
    data: [UInt8]
  ) {
    self.name = name
    self.type = type
    self.width = width
    self.height = height
    self.frames = frames
    self.from = from
    self.quality = quality
    self.data = data
  }
}

/// What to show before a picture has arrived.
public struct Placeholder: Hashable, Codable, Sendable {
  /// ThumbHash (github.com/evanw/thumbhash) in base64.
  public var thumbhash: String
  /// BlurHash (github.com/woltapp/blurhash) with 4 × 3 components.
  public var blurhash: String
  /// The dominant colour as `#rrggbb`.
  public var color: String

  /// A placeholder of those three forms.
  public init(thumbhash: String, blurhash: String, color: String) {
    self.thumbhash = thumbhash
    self.blurhash = blurhash
    self.color = color
  }
}

/// Everything that was made of one file.
public struct ThumbnailResult: Hashable, Sendable {
  /// In the order of the requests; a rendition that failed is not among them.
  public var renditions: [Rendition]
  /// What to show before they arrive.
  public var placeholder: Placeholder?
  /// Bytes read of the file.
  public var bytesRead: Int
  /// What went wrong; whatever could be made stands beside it.
  public var error: MediaFailure?

  /// A result of those parts.
  public init(
    renditions: [Rendition] = [], placeholder: Placeholder? = nil, bytesRead: Int = 0, error: MediaFailure? = nil
  ) {
    self.renditions = renditions
    self.placeholder = placeholder
    self.bytesRead = bytesRead
    self.error = error
  }
}
