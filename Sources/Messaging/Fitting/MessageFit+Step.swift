public import AttachmentPolicy
public import MediaModel

extension MessageFit {
  /// The forms of one image to encode and measure.
  public struct Measurement: Hashable, Sendable {
    /// The identifier of the attachment.
    public var id: MediaAttachment.ID
    /// The facts of the image.
    public var info: MediaInfo
    /// The crop in upright pixels; nil for no crop.
    public var crop: PixelRect?
    /// The box in which similarity is measured.
    public var displayBox: PixelSize
    /// The forms; never empty.
    public var forms: [Plan.Form]
    /// Whether an embedded profile is sRGB.
    public var isSRGB: Bool
    /// Whether a JPEG must be baseline to be sent unchanged.
    public var isBaseline: Bool
  }

  /// A video or an audio file that must be transcoded.
  public struct TranscodingBudget: Hashable, Sendable {
    /// The identifier of the attachment.
    public var id: MediaAttachment.ID
    /// The facts of the file.
    public var info: MediaInfo
    /// Maximum size of the output in bytes.
    public var maxBytes: Int
    /// The media that every receiver supports.
    public var contentClass: CarrierProfile.ContentClass
  }

  /// The next step of fitting.
  public enum Step: Hashable, Sendable {
    /// Strip the metadata of these files with `MetadataStripper`, and call ``MessageFit/record(_:bytes:of:)``.
    case strip([MediaAttachment.ID])
    /// Encode these forms and call ``MessageFit/record(_:tried:of:)``.
    case measure([Measurement])
    /// Transcode these videos and audio files and call `record(_:of:)`.
    case transcode([TranscodingBudget])
    /// Fitting has ended.
    case done(Plan.Outcome)
  }
}
