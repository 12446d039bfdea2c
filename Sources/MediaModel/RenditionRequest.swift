/// A request for one thumbnail (docs/design.md §4).
public struct RenditionRequest: Hashable, Codable, Sendable {
  /// Maximum width and height of a box in pixels: the limit of WebP, whose frame header stores a side in 14 bits.
  public static let longestSide = 16_383

  /// How an image is scaled into a box.
  public enum Fit: Hashable, Codable, Sendable {
    /// Scales the whole image so that it fits into the box.
    case contain
    /// Fills the box and crops what exceeds it. The gravity decides which part remains.
    case cover(Gravity)
  }

  /// The part of an image that remains after cropping.
  public enum Gravity: String, Codable, Sendable, CaseIterable {
    /// The middle of the image, equally far from opposite sides.
    case centre
    /// The most salient part: skin tones, saturated colors, edges.
    case attention
    /// The part with the most detail.
    case entropy
  }

  /// The output format.
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// Lossy WebP, with alpha if the source has it.
    case webp
    /// JPEG. Transparent parts are composited onto ``RenditionRequest/background``.
    case jpeg
    /// PNG, lossless.
    case png
    /// AVIF, with alpha if the source has it.
    case avif
    /// Currently WebP, which supports alpha and animation and is widely supported. Default.
    case automatic

    /// The format that is written: ``automatic`` resolved to a concrete one.
    public var resolved: Format { self == .automatic ? .webp : self }

    /// The media type of the written file.
    public var type: MediaType {
      switch self {
      case .webp, .automatic: .webp
      case .jpeg: .jpeg
      case .png: .png
      case .avif: .avif
      }
    }
  }

  /// The quality or the size limit for the encoder.
  public enum Encoding: Hashable, Codable, Sendable {
    /// The encoder's own scale, 1…100. Nil uses the default of the format: WebP 79, JPEG 80, AVIF 60. PNG ignores it.
    case quality(Int?)
    /// The best quality whose file has at most this many bytes, from 20 up to the default of the format.
    ///
    /// If none fits, a contained still image is reduced in size, down to 16 pixels per side. Otherwise it fails with
    /// `tooLarge`.
    case maxBytes(Int)
  }

  /// The chroma subsampling of a JPEG.
  public enum Chroma: String, Codable, Sendable, CaseIterable {
    /// No subsampling (4:4:4).
    case full
    /// Half the resolution in both directions (4:2:0), as cameras and phones write it.
    case halved
  }

  /// An opaque color in sRGB.
  public struct Color: Hashable, Codable, Sendable {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8
    /// Creates a color from sRGB components.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
    /// White, the default of ``RenditionRequest/background``.
    public static let white = Color(red: 255, green: 255, blue: 255)
  }

  /// The color space of the written pixels.
  public enum ColorSpace: String, Codable, Sendable, CaseIterable {
    /// sRGB, without an embedded profile. Default.
    case srgb
    /// Display P3 with an embedded profile, for a source with a profile other than sRGB. sRGB for any other source.
    case p3
  }

  /// The name of the rendition in results and file names: `grid`, `256`.
  public var name: String
  /// The box in pixels, 1…16,383 per side (the WebP maximum).
  public var box: PixelSize
  /// How the image is scaled into the box. ``Fit/contain`` by default.
  public var fit = Fit.contain
  /// The part of the upright image to use, in displayed pixels. Nil, the default, uses all of it.
  public var crop: PixelRect?
  /// The output format. ``Format/automatic`` by default.
  public var format = Format.automatic
  /// Quality or maximum size in bytes. The default quality of the format by default.
  public var encoding = Encoding.quality(nil)
  /// JPEG chroma subsampling. Nil, the default, is the encoder's choice: none from quality 90 on. Other formats ignore
  /// it.
  public var chroma: Chroma?
  /// The color behind transparent parts in a JPEG. White by default.
  public var background = Color.white
  /// The output color space. sRGB by default.
  public var colorSpace = ColorSpace.srgb
  /// Whether to enlarge a source that is smaller than the box. False by default: enlarging adds bytes and no detail.
  public var allowsUpscaling = false
  /// Whether an animated source gives an animated WebP. False by default: only the frame is used that is shown longest
  /// among the first hundred, the first of equal ones.
  public var animated = false
  /// The box in which to compare the encoded file with its source, to measure the loss (``Rendition/similarity``).
  ///
  /// Nil by default: no comparison. Applies to still images in JPEG, PNG and WebP, and is ignored otherwise.
  public var comparedIn: PixelSize?

  /// Creates a request for the whole image. Set the properties to refine it.
  public init(name: String, box: PixelSize, fit: Fit = .contain) {
    self.name = name
    self.box = box
    self.fit = fit
  }

  /// The predefined sizes (docs/design.md §4). To add one, add a line.
  public static let named: [RenditionRequest] = [
    RenditionRequest(name: "grid", box: PixelSize(width: 256, height: 256), fit: .cover(.centre)),
    RenditionRequest(name: "grid2x", box: PixelSize(width: 512, height: 512), fit: .cover(.centre)),
    RenditionRequest(name: "message", box: PixelSize(width: 840, height: 560)),
    RenditionRequest(name: "view", box: PixelSize(width: 1440, height: 1440)),
    RenditionRequest(name: "avatar", box: PixelSize(width: 128, height: 128), fit: .cover(.centre)),
  ]

  /// The predefined size with that name; nil if there is none.
  public static func named(_ name: String) -> RenditionRequest? { named.first { $0.name == name } }
}
