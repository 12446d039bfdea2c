public import MediaModel

/// What a carrier takes: limits of a message, and which media its receivers can show.
///
/// A value out of ``preset(_:)`` or of a JSON file, in which every key may be absent and has the default then.
public struct CarrierProfile: Hashable, Sendable {
  /// A name for people. Default `mms-300k`.
  public var name = "mms-300k"
  /// Bytes of a multimedia message as it is sent, headers and SMIL counted. Default 307,200: AOSP's, Firefox OS' and mms-engine's.
  public var maxMessageBytes = 307_200
  /// The box that an image has to fit into, turned for a portrait. Default 640 × 480, AOSP's.
  public var maxImageSize = PixelSize(width: 640, height: 480)
  /// What every receiver of this carrier can show. Default ``ContentClass/videoRich``.
  public var contentClass = ContentClass.videoRich
  /// Recipients of a multimedia message. Default 20, Firefox OS'.
  public var maxRecipients = 20
  /// Characters of a subject. Default 40: what every client must take (MMS conformance con-271).
  public var maxSubjectLength = 40
  /// Segments of an SMS; a longer text goes as a multimedia message. Default 10, Firefox OS'; nil never does.
  public var maxSMSSegments: Int? = 10
  /// Whether several recipients share one multimedia message, rather than getting an SMS each. Default false.
  public var groupsRecipients = false
  /// Attachments of a message. Default 25, mmsd-tng's.
  public var maxAttachments = 25
  /// How texts are divided into segments. Default: no alphabets of languages.
  public var segmenter = SMSSegmenter()

  /// The defaults.
  public init() {}

  /// The class of content of MMS conformance 1.2 and 1.3 (OMA-TS-MMS-CONF): what a receiver has to be able to show.
  public enum ContentClass: String, Codable, Sendable, CaseIterable {
    /// Text alone.
    case text
    /// Images up to 160 × 120.
    case imageBasic
    /// Images up to 640 × 480.
    case imageRich
    /// H.263 video up to QCIF.
    case videoBasic
    /// The same in larger messages.
    case videoRich
    /// Images up to 1600 × 1200.
    case megapixel
    /// Whatever phones of today show: H.264 video too.
    case modern

    /// Whether its images are JPEG, GIF and WBMP alone, so that transparency has to go.
    public var lacksPNG: Bool { self != .modern }
    /// Whether its video is H.263 with AMR in 3GP, rather than H.264 with AAC in MP4.
    public var needsH263: Bool { self != .modern }
  }
}
