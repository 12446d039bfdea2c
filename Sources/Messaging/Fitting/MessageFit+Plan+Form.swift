public import MediaModel

extension MessageFit.Plan {
  /// A form in which an image can be sent: encoding and size.
  public struct Form: Hashable, Sendable {
    /// The encoding of an image.
    public enum Encoding: Hashable, Sendable {
      /// The original file without its metadata; see `ImageMetadataStripper`.
      case asIs
      /// JPEG of this quality, 1…100, on white.
      case jpeg(quality: Int)
      /// PNG with transparency.
      case png
    }

    /// The image format and its quality.
    public var encoding: Encoding
    /// The box in upright pixels that the image must fit into.
    public var box: PixelSize

    /// A form that an image is encoded in.
    public init(_ encoding: Encoding, box: PixelSize) {
      self.encoding = encoding
      self.box = box
    }
  }

  /// An encoded image in one of its forms.
  public struct Candidate: Hashable, Sendable {
    /// The requested form.
    public var form: Form
    /// The media type of the file.
    public var type: MediaType
    /// The actual size in pixels.
    public var size: PixelSize
    /// The size in bytes.
    public var bytes: Int
    /// Structural similarity (SSIM) of its luma to the original, both at the size that the original has in the profile's
    /// image box. 1 means identical.
    public var similarity: Double

    /// What an encoder made of an image in a form.
    public init(form: Form, type: MediaType, size: PixelSize, bytes: Int, similarity: Double) {
      self.form = form
      self.type = type
      self.size = size
      self.bytes = bytes
      self.similarity = similarity
    }
  }
}
