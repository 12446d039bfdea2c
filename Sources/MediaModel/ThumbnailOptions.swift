/// Options for making the renditions of a file.
public struct ThumbnailOptions: Hashable, Codable, Sendable {
  /// Deadline and size limits. Defaults to `MediaLimits()`.
  public var limits = MediaLimits()
  /// Whether to use the embedded thumbnail in place of the image, at any size and whatever it shows. False by default:
  /// only a camera raw, of which nothing else is decoded, is shown by its embedded preview.
  ///
  /// Such renditions have the source ``Rendition/Source/embedded``.
  public var draft = false
  /// Whether to make a placeholder. True by default.
  public var placeholder = true
  /// The number of waveform peaks for an audio file, 0…4,096 (``maxPeaks``).
  ///
  /// 100 by default: about as many bars as fit into a message. With 0, audio that has a cover is not decoded.
  public var peaks = 100
  /// Whether to draw the waveform of an audio file even if it has a cover. False by default.
  public var prefersWaveform = false
  /// The maximum number of peaks; more could not be distinguished in an image.
  public static let maxPeaks = 4_096
  /// The position of the poster frame in a video. Nil, the default, selects the best of several key frames.
  public var posterPosition: PosterPosition?
  /// Creates the default options.
  public init() {}
}

extension ThumbnailOptions {
  /// A position in a video.
  public enum PosterPosition: Hashable, Codable, Sendable {
    /// Seconds from the start.
    case seconds(Double)
    /// A fraction of the duration, 0…1.
    case fraction(Double)
  }
}
