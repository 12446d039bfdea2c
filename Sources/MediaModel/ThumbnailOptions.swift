/// How the renditions of a file are made.
public struct ThumbnailOptions: Hashable, Codable, Sendable {
  /// Deadline and sizes. Default: `MediaLimits`'s own.
  public var limits = MediaLimits()
  /// Whether the embedded thumbnail will do however small it is. Default false: only where it has every pixel asked for.
  public var draft = false
  /// Whether a placeholder is made. Default true.
  public var placeholder = true
  /// How many peaks an audio file has, 0…4,096 (``maxPeaks``). Default 100: about as many bars as a message has room for. With 0 a
  /// audio that has a cover is not decoded.
  public var peaks = 100
  /// Whether an audio file shows its waveform although it has a cover. Default false.
  public var prefersWaveform = false
  /// The largest number of peaks. More would not be told apart in any image.
  public static let maxPeaks = 4_096
  /// The moment of a video that its poster shows. Default nil: the best of a few key frames.
  public var posterPosition: PosterPosition?
  /// The defaults.
  public init() {}
}

/// A moment of a video.
public enum PosterPosition: Hashable, Codable, Sendable {
  /// Seconds from the beginning.
  case seconds(Double)
  /// A part of the whole length, 0…1.
  case fraction(Double)
}
