public import MediaModel

/// A form in which an image can be sent.
public struct FitForm: Hashable, Sendable {
  /// How it is written.
  public enum Encoding: Hashable, Sendable {
    /// The file itself, without its metadata: see ``ImageMetadataStripper``.
    case asIs
    /// JPEG of that quality, 1…100, on white.
    case jpeg(quality: Int)
    /// PNG, with its transparency.
    case png
  }

  /// How it is written.
  public var encoding: Encoding
  /// The box that it has to fit into, in upright pixels.
  public var box: PixelSize

  /// A form of those parts.
  public init(_ encoding: Encoding, box: PixelSize) {
    self.encoding = encoding
    self.box = box
  }
}

/// An image in one of its forms, as it was really made.
public struct FitCandidate: Hashable, Sendable {
  /// The form that was asked for.
  public var form: FitForm
  /// The media type of the file.
  public var type: MediaType
  /// The size that came out.
  public var size: PixelSize
  /// Bytes of the file.
  public var bytes: Int
  /// How much of the image is still to be seen: the structural similarity (SSIM) of its luma to that of the original, both as large as the original is in the
  /// profile's image box; 1 for all.
  public var similarity: Double

  /// A candidate of those facts.
  public init(form: FitForm, type: MediaType, size: PixelSize, bytes: Int, similarity: Double) {
    self.form = form
    self.type = type
    self.size = size
    self.bytes = bytes
    self.similarity = similarity
  }
}
