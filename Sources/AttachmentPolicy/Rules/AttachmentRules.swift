public import MediaModel

/// The limits that files are held against before they are sent: what may go.
///
/// A limit of nil is no limit. What is equal to a limit is accepted; only what is over it is refused.
public struct AttachmentRules: Hashable, Sendable {
  /// Whether anything may be attached at all. Default true.
  public var allowsAttachments = true
  /// Attachments in one message. Default 10, as Mattermost from 6.0 on (R-TRAY-4, C2).
  public var maxAttachments: Int? = 10
  /// Bytes of one file. Default 104,857,600 = 100 MiB, the default of Mattermost servers (C5).
  public var maxFileBytes: Int? = 104_857_600
  /// Bytes of all files and of the text in UTF-8 (D6.13). Default none.
  public var maxMessageBytes: Int?
  /// Pixels of an image, all frames counted; of a video, of one frame. Default 268,402,689 = 16,383², the largest WebP.
  public var maxPixels: Int? = 268_402_689
  /// Seconds of a video, an audio file or one pass of an animation. Default none.
  public var maxDuration: Double?
  /// Unicode scalars of the text, white space around it not counted. Default none.
  public var maxTextScalars: Int?
  /// The families that may go; nil for all. Default nil.
  public var allowedKinds: Set<MediaKind>?
  /// The types that may go; nil for all. Default nil.
  public var allowedTypes: Set<MediaType>?
  /// Limits of one family in place of the common ones: a voice message's, for example (R-CHAT-3, R-CHAT-4).
  public var kindLimits: [MediaKind: KindLimits] = [:]
  /// How far name and content may not be apart. Default: another kind, and something active behind a harmless name (R-MYM-21).
  /// A PNG named `.jpg` is common, and shows as what it is.
  public var refusedMismatches: Set<Mismatch.Class> = [.kind, .active]
  /// Whether a file is refused that breaks off or contradicts its own format. Default true. One that cannot be read at all always is.
  public var refusesDamagedFiles = true
  /// Whether the same asset may not go twice. Default true (R-TRAY-8, D6.9).
  public var refusesSameAsset = true
  /// Whether the same content may not go twice, where digests are known. Default true (D6.9).
  public var refusesSameContent = true
  /// What one refused file means for the others. Default: nothing (D6.8).
  public var batch = Batch.eachByItself
  /// Whether a still image over a limit of bytes is accepted, because it will be made smaller on its way (A3). Default false.
  public var shrinksImages = false

  /// The defaults: those of the photo tray.
  public init() {}

  /// What one refused file means for the others of its selection.
  public enum Batch: String, Codable, Sendable, CaseIterable {
    /// Nothing: the others go.
    case eachByItself
    /// None goes.
    case allOrNothing
  }

  /// Limits of one family; nil where the common limit holds.
  public struct KindLimits: Hashable, Sendable {
    /// Bytes of one file.
    public var maxFileBytes: Int?
    /// Seconds of one file.
    public var maxDuration: Double?

    /// Limits in place of the common ones.
    public init(maxFileBytes: Int? = nil, maxDuration: Double? = nil) {
      self.maxFileBytes = maxFileBytes
      self.maxDuration = maxDuration
    }
  }

  /// Bytes that one file of `kind` may have.
  public func maxFileBytes(of kind: MediaKind) -> Int? { kindLimits[kind]?.maxFileBytes ?? maxFileBytes }

  /// Seconds that one file of `kind` may last.
  public func maxDuration(of kind: MediaKind) -> Double? { kindLimits[kind]?.maxDuration ?? maxDuration }
}
