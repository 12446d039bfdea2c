public import MediaModel

/// The limits that decide which files may be sent.
///
/// A nil limit means no limit. A value equal to a limit is accepted; only a greater one is refused.
public struct AttachmentRules: Hashable, Sendable {
  /// Whether attachments are allowed at all. True by default.
  public var allowsAttachments = true
  /// Maximum attachments per message. 10 by default, as in Mattermost from 6.0 on (R-TRAY-4, C2).
  public var maxAttachments: Int? = 10
  /// Maximum size of one file in bytes. 104,857,600 = 100 MiB by default, as on Mattermost servers (C5).
  public var maxFileBytes: Int? = 104_857_600
  /// Maximum size in bytes of all files and of the text in UTF-8 (D6.13). No limit by default.
  public var maxMessageBytes: Int?
  /// Maximum pixels of an image over all frames, or of one frame of a video.
  ///
  /// 268,402,689 = 16,383² by default, the largest WebP.
  public var maxPixels: Int? = 268_402_689
  /// Maximum duration in seconds of a video, an audio file or one pass of an animation. No limit by default.
  public var maxDuration: Double?
  /// Maximum Unicode scalars of the text, without leading and trailing white space. No limit by default.
  public var maxTextScalars: Int?
  /// The kinds of media that are allowed. Nil, the default, allows all.
  public var allowedKinds: Set<MediaKind>?
  /// The media types that are allowed. Nil, the default, allows all.
  public var allowedTypes: Set<MediaType>?
  /// Limits for one kind of media that override the common ones, for example for voice messages (R-CHAT-3, R-CHAT-4).
  public var kindLimits: [MediaKind: KindLimits] = [:]
  /// The classes of mismatch between name and content that are refused.
  ///
  /// By default another kind of media, and active content declared as media (R-MYM-21). A PNG named `.jpg` is common
  /// and harmless.
  public var refusedMismatches: Set<MediaInfo.Mismatch.Class> = [.kind, .active]
  /// Whether truncated and corrupt files are refused. True by default. Unreadable files are always refused.
  public var refusesDamagedFiles = true
  /// Whether the same asset is refused when it is attached twice. True by default (R-TRAY-8, D6.9).
  public var refusesSameAsset = true
  /// Whether the same content is refused when it is attached twice, if digests are known. True by default (D6.9).
  public var refusesSameContent = true
  /// How a refused file affects the rest of its selection. Not at all by default (D6.8).
  public var batch = Batch.eachByItself
  /// Whether to accept a still image over the size limit because its size will be reduced before sending (A3). False by
  /// default.
  public var shrinksImages = false

  /// Creates the default rules, those of the photo tray.
  public init() {}

  /// How a refused file affects the rest of its selection.
  public enum Batch: String, Codable, Sendable, CaseIterable {
    /// The other files are accepted.
    case eachByItself
    /// The whole selection is refused.
    case allOrNothing
  }

  /// Limits for one kind of media; nil keeps the common limit.
  public struct KindLimits: Hashable, Sendable {
    /// Maximum size of one file in bytes.
    public var maxFileBytes: Int?
    /// Maximum duration of one file in seconds.
    public var maxDuration: Double?

    /// Creates limits that override the common ones.
    public init(maxFileBytes: Int? = nil, maxDuration: Double? = nil) {
      self.maxFileBytes = maxFileBytes
      self.maxDuration = maxDuration
    }
  }

  /// Maximum size in bytes of a file of `kind`; nil without a limit.
  public func maxFileBytes(of kind: MediaKind) -> Int? { kindLimits[kind]?.maxFileBytes ?? maxFileBytes }

  /// Maximum duration in seconds of a file of `kind`; nil without a limit.
  public func maxDuration(of kind: MediaKind) -> Double? { kindLimits[kind]?.maxDuration ?? maxDuration }
}
