/// Resource limits for one file (docs/design.md §5), checked before decoding.
public struct MediaLimits: Hashable, Codable, Sendable {
  /// Maximum size in bytes of a file that is decoded. 100 MiB by default, as on Mattermost servers.
  public var bytes = 104_857_600
  /// Maximum pixels of one frame. 268,402,689 = 16,383² by default, the largest WebP. See ``animationPixels`` for all
  /// frames.
  public var pixels = 268_402_689
  /// Maximum frames of an animation that is decoded. 1,000 by default.
  public var frames = 1_000
  /// Maximum pixels of an animation that is decoded, summed over all frames.
  ///
  /// 67,108,864 by default: 256 MiB of RGBA, half of the memory that one worker may use.
  public var animationPixels = 67_108_864
  /// Deadline in seconds for probing one file. 2 by default.
  public var probeSeconds = 2.0
  /// Deadline in seconds for all renditions of one image. 10 by default.
  public var renderSeconds = 10.0
  /// Deadline in seconds for all renditions of one video. 15 by default.
  public var posterSeconds = 15.0
  /// Deadline in seconds for transcoding one file.
  ///
  /// 120 by default: a minute of 1080p takes about 20 seconds per pass on one processor, and two passes are usual.
  public var transcodeSeconds = 120.0

  /// Creates the default limits.
  public init() {}
}
