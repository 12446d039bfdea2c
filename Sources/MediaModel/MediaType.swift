/// A media type such as `image/jpeg`, without parameters: the IANA-registered name where one exists.
public struct MediaType: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The type in lower case.
  public let rawValue: String

  /// A type of that name, lower-cased.
  public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

  /// A type of that name.
  public init(_ name: String) { self.init(rawValue: name) }

  /// The name.
  public var description: String { rawValue }

  /// What comes before the slash.
  public var topLevel: Substring { rawValue.prefix { $0 != "/" } }

  /// The family: from the table of known types, else from the top level.
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

  /// The usual file name extension, without a dot; nil for a type outside the table.
  public var preferredExtension: String? { known?.extensions.first }

  /// Every extension in use for this type, the usual one first; empty for a type outside the table.
  public var extensions: [String] { known?.extensions ?? [] }

  /// Its row of the table.
  private var known: Entry? { Self.known[rawValue] ?? Self.known[registered.rawValue] }

  /// Types that a file name with this extension (without a dot, any case) can have; empty when it is not known.
  public static func types(forExtension name: String) -> [MediaType] {
    byExtension[name.lowercased()] ?? []
  }

  /// Bytes of no known type.
  public static let octetStream = MediaType("application/octet-stream")
  /// Plain text.
  public static let plainText = MediaType("text/plain")
  /// JPEG.
  public static let jpeg = MediaType("image/jpeg")
  /// PNG, animated PNG included.
  public static let png = MediaType("image/png")
  /// GIF.
  public static let gif = MediaType("image/gif")
  /// WebP.
  public static let webp = MediaType("image/webp")
  /// HEIF coded in HEVC.
  public static let heic = MediaType("image/heic")
  /// HEIF in another coding.
  public static let heif = MediaType("image/heif")
  /// AVIF.
  public static let avif = MediaType("image/avif")
  /// TIFF.
  public static let tiff = MediaType("image/tiff")
  /// Windows bitmap.
  public static let bmp = MediaType("image/bmp")
  /// SVG.
  public static let svg = MediaType("image/svg+xml")
  /// JPEG XL.
  public static let jxl = MediaType("image/jxl")
  /// PDF.
  public static let pdf = MediaType("application/pdf")
}
