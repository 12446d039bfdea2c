public import MediaModel

/// A carrier's message limits, and the media that its receivers support.
///
/// Take one from ``preset(_:)`` or decode a JSON file, in which absent keys have their defaults.
public struct CarrierProfile: Hashable, Sendable {
  /// The display name. `mms-300k` by default.
  public var name = "mms-300k"
  /// Maximum size in bytes of an encoded multimedia message, including headers and SMIL.
  ///
  /// 307,200 by default, as in AOSP, Firefox OS and mms-engine.
  public var maxMessageBytes = 307_200
  /// The maximum image size in pixels, swapped for portrait images. 640 × 480 by default, as in AOSP.
  public var maxImageSize = PixelSize(width: 640, height: 480)
  /// The media that every receiver of the carrier supports. ``ContentClass/videoRich`` by default.
  public var contentClass = ContentClass.videoRich
  /// Maximum recipients of a multimedia message. 20 by default, as in Firefox OS.
  public var maxRecipients = 20
  /// Maximum characters of a subject. 40 by default: the minimum that every client must support (MMS conformance
  /// con-271).
  public var maxSubjectLength = 40
  /// Maximum segments of an SMS; a longer text becomes an MMS. 10 by default, as in Firefox OS. Nil means no limit.
  public var maxSMSSegments: Int? = 10
  /// Whether several recipients share one multimedia message instead of getting an SMS each. False by default.
  public var groupsRecipients = false
  /// Maximum attachments per message. 25 by default, as in mmsd-tng.
  public var maxAttachments = 25
  /// How texts are divided into segments. Without national language tables by default.
  public var segmenter = SMSSegmenter()

  /// Creates the default profile.
  public init() {}

  /// A content class of MMS conformance 1.2 and 1.3 (OMA-TS-MMS-CONF): the media that a receiver must support.
  public enum ContentClass: String, Codable, Sendable, CaseIterable {
    /// Text only.
    case text
    /// Images up to 160 × 120.
    case imageBasic
    /// Images up to 640 × 480.
    case imageRich
    /// H.263 video up to QCIF.
    case videoBasic
    /// As ``videoBasic``, in larger messages.
    case videoRich
    /// Images up to 1600 × 1200.
    case megapixel
    /// The media that current phones support, including H.264 video.
    case modern

    /// Whether images are limited to JPEG, GIF and WBMP, so that transparency is lost.
    public var lacksPNG: Bool { self != .modern }
    /// Whether video must be H.263 with AMR in 3GP instead of H.264 with AAC in MP4.
    public var needsH263: Bool { self != .modern }
  }
}
