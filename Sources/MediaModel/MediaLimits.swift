/// The budgets of one file (docs/design.md §5). Checked before anything is decoded.
public struct MediaLimits: Hashable, Codable, Sendable {
  /// Bytes of a file that is decoded. Default 100 MiB, the default of Mattermost servers.
  public var bytes = 104_857_600
  /// Pixels of one frame. Default 268,402,689 = 16,383², the largest WebP. All frames together: ``animationPixels``.
  public var pixels = 268_402_689
  /// Frames of an animation that are decoded. Default 1,000.
  public var frames = 1_000
  /// Pixels of an animation that is decoded, all frames counted. Default 67,108,864: 256 MiB of RGBA, half of what one worker may use.
  public var animationPixels = 67_108_864
  /// Seconds for finding the facts of one file. Default 2.
  public var probeSeconds = 2.0
  /// Seconds for all renditions of one image. Default 10.
  public var renderSeconds = 10.0
  /// Seconds for all renditions of one video. Default 15.
  public var posterSeconds = 15.0
  /// Seconds for writing one video or audio anew. Default 120: a minute of 1080p takes about 20 on one processor, twice over.
  public var transcodeSeconds = 120.0

  /// The defaults.
  public init() {}
}
