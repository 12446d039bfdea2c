/// One thumbnail that is asked for (docs/design.md §4).
public struct RenditionRequest: Hashable, Codable, Sendable {
  /// The longest side of a box, in pixels: WebP's, whose frame header has 14 bits for it. Nothing that is meant to look small comes near it.
  public static let longestSide = 16_383

  /// How an image is brought into a box.
  public enum Fit: Hashable, Codable, Sendable {
    /// The whole image, no side longer than the box's.
    case contain
    /// The box filled, what hangs over cut off. What stays is chosen by the gravity.
    case cover(Gravity)
  }

  /// Which part of an image stays when it is cut to a box.
  public enum Gravity: String, Codable, Sendable, CaseIterable {
    /// The middle.
    case centre
    /// The part that draws the eye: skin, saturated colours, edges.
    case attention
    /// The part with the most detail.
    case entropy
  }

  /// The format that is written.
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// WebP, lossy, with alpha where the source has it.
    case webp
    /// JPEG; transparent parts take ``RenditionRequest/background``.
    case jpeg
    /// PNG, lossless.
    case png
    /// AVIF, with alpha where the source has it.
    case avif
    /// WebP, for it carries alpha and animation and is read everywhere. Default.
    case automatic

    /// The format in the end.
    public var resolved: Format { self == .automatic ? .webp : self }

    /// The media type of a file in this format.
    public var type: MediaType {
      switch self {
      case .webp, .automatic: .webp
      case .jpeg: .jpeg
      case .png: .png
      case .avif: .avif
      }
    }
  }

  /// How hard the encoder tries.
  public enum Encoding: Hashable, Codable, Sendable {
    /// The encoder's own scale, 1…100; nil for the default of the format: WebP 79, JPEG 80, AVIF 60. PNG ignores it.
    case quality(Int?)
    /// The best quality from 20 up to the default of the format whose file has at most so many bytes. If none fits, a contained still is
    /// made smaller, down to 16 pixels a side; else the failure is `tooLarge`.
    case maxBytes(Int)
  }

  /// How finely a JPEG holds colours beside brightness.
  public enum Chroma: String, Codable, Sendable, CaseIterable {
    /// As finely (4:4:4).
    case full
    /// Half as finely in both directions (4:2:0), as cameras and phones write it.
    case halved
  }

  /// An opaque colour.
  public struct Color: Hashable, Codable, Sendable {
    /// Red, 0…255, in sRGB.
    public var red: UInt8
    /// Green, 0…255, in sRGB.
    public var green: UInt8
    /// Blue, 0…255, in sRGB.
    public var blue: UInt8
    /// A colour in sRGB.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
    /// White.
    public static let white = Color(red: 255, green: 255, blue: 255)
  }

  /// The colour space of the pixels that are written.
  public enum ColorSpace: String, Codable, Sendable, CaseIterable {
    /// sRGB, with no profile in the file. Default.
    case srgb
    /// Display P3 with its profile in the file, for a source whose profile is not sRGB; sRGB for any other.
    case p3
  }

  /// Names the rendition in results and file names: `grid`, `256`.
  public var name: String
  /// The box in pixels, 1…16,383 a side (WebP's largest).
  public var box: PixelSize
  /// How the image is brought into the box. Default ``Fit/contain``.
  public var fit = Fit.contain
  /// The part of the upright image, in displayed pixels, that is used; nil for all of it.
  public var crop: PixelRect?
  /// The format that is written. Default ``Format/automatic``.
  public var format = Format.automatic
  /// Quality or byte budget. Default: the quality of the format.
  public var encoding = Encoding.quality(nil)
  /// How finely a JPEG holds colours. Default nil: the encoder's own choice, full from quality 90 on. Other formats ignore it.
  public var chroma: Chroma?
  /// What shows through transparent parts in a JPEG. Default white.
  public var background = Color.white
  /// The colour space that is written. Default sRGB.
  public var colorSpace = ColorSpace.srgb
  /// Whether a source smaller than the box is enlarged. Default false: enlarging adds bytes and no detail.
  public var allowsUpscaling = false
  /// Whether an animated source gives an animated WebP. Default false: the first frame.
  public var animated = false
  /// The box in which the finished file is compared with the image that it was made of, so that what a smaller size and a lower quality cost
  /// is known (``Rendition/similarity``). Default nil: it is not. Of stills in JPEG, PNG and WebP; for any other rendition it does nothing.
  public var comparedIn: PixelSize?

  /// A request for the whole image inside a box, to be refined through its properties.
  public init(name: String, box: PixelSize, fit: Fit = .contain) {
    self.name = name
    self.box = box
    self.fit = fit
  }

  /// The named sizes (docs/design.md §4). To add one, add a line.
  public static let named: [RenditionRequest] = [
    RenditionRequest(name: "grid", box: PixelSize(width: 256, height: 256), fit: .cover(.centre)),
    RenditionRequest(name: "grid2x", box: PixelSize(width: 512, height: 512), fit: .cover(.centre)),
    RenditionRequest(name: "message", box: PixelSize(width: 840, height: 560)),
    RenditionRequest(name: "view", box: PixelSize(width: 1440, height: 1440)),
    RenditionRequest(name: "avatar", box: PixelSize(width: 128, height: 128), fit: .cover(.centre)),
  ]

  /// The named size of that name.
  public static func named(_ name: String) -> RenditionRequest? { named.first { $0.name == name } }
}
