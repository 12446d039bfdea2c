/// A media type such as `image/jpeg`, without parameters. It uses the IANA-registered name where one exists.
public struct MediaType: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The media type in lower case.
  public let rawValue: String

  /// Creates a media type; the name is lower-cased.
  public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

  /// Creates a media type; the name is lower-cased.
  public init(_ name: String) { self.init(rawValue: name) }

  /// The media type in lower case.
  public var description: String { rawValue }

  /// The top-level type: the part before the slash.
  public var topLevel: Substring { rawValue.prefix { $0 != "/" } }

  /// The kind of media: from the table of known types, or else from the top-level type.
  public var kind: MediaKind {
    if let known { return known.kind }
    switch topLevel {
    case "image": return .image
    case "video": return .video
    case "audio": return .audio
    case "text": return .text
    default: return .other
    }
  }

  /// The usual file name extension without a dot; nil for a type that is not in the table.
  public var preferredExtension: String? { known?.extensions.first }

  /// All file name extensions of this type, the usual one first; empty for a type that is not in the table.
  public var extensions: [String] { known?.extensions ?? [] }

  private var known: Entry? { Self.known[rawValue] ?? Self.known[registered.rawValue] }

  /// The media types that use this file name extension; empty for an unknown one.
  ///
  /// The extension has no dot, and its case does not matter.
  public static func types(forExtension name: String) -> [MediaType] {
    byExtension[name.lowercased()] ?? []
  }

  /// Content of unknown type.
  public static let octetStream = MediaType("application/octet-stream")
  /// Text without a format (RFC 2046), in any charset.
  public static let plainText = MediaType("text/plain")
  /// JPEG (ISO/IEC 10918-1), also with several images in one file (MPF).
  public static let jpeg = MediaType("image/jpeg")
  /// PNG, including animated PNG.
  public static let png = MediaType("image/png")
  /// GIF, still or animated.
  public static let gif = MediaType("image/gif")
  /// WebP, still or animated (RFC 9649).
  public static let webp = MediaType("image/webp")
  /// HEIF with HEVC-coded images.
  public static let heic = MediaType("image/heic")
  /// HEIF with images in another coding.
  public static let heif = MediaType("image/heif")
  /// HEIF with AV1-coded images, still or animated.
  public static let avif = MediaType("image/avif")
  /// TIFF, also with several pages. Camera raws have types of their own.
  public static let tiff = MediaType("image/tiff")
  /// Windows bitmap.
  public static let bmp = MediaType("image/bmp")
  /// SVG. It is screened as text before it is rendered.
  public static let svg = MediaType("image/svg+xml")
  /// JPEG XL.
  public static let jxl = MediaType("image/jxl")
  /// PDF; its first page is the image.
  public static let pdf = MediaType("application/pdf")
}
