internal import CMediaShims
internal import MediaModel

/// The decoder for a media type. The content's type selects it; decoders are never tried in turn.
enum Loader: Hashable {
  /// A loader of libvips.
  case vips(VipsLoader)
  /// A still image decoder of libavcodec that takes the whole file as one packet.
  case libav(codec: String)
  /// A reader of our own, for a layout that neither libvips nor libavcodec supports.
  case own(OwnLoader)
  /// A camera raw file: its embedded JPEG is decoded.
  case rawPreview

  /// The readers of this module.
  enum OwnLoader: Hashable {
    /// BMP: ours for masks, otherwise libavcodec.
    case bitmap
    /// ICO and CUR.
    case icon
    case wirelessBitmap
  }

  /// The loader for each type. To add a format, add a line; for a libvips decoder, also a `mediatool_loader`.
  static let table: [(format: String, types: [String], loader: Loader)] = [
    ("JPEG", ["image/jpeg"], .vips(.jpeg)),
    ("PNG", ["image/png"], .vips(.png)),
    ("GIF", ["image/gif"], .vips(.gif)),
    ("WebP", ["image/webp"], .vips(.webp)),
    (
      "HEIC, AVIF", ["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", "image/avif"],
      .vips(.heif)
    ),
    ("TIFF", ["image/tiff"], .vips(.tiff)),
    ("SVG", ["image/svg+xml"], .vips(.svg)),
    ("JPEG XL", ["image/jxl"], .vips(.jxl)),
    ("JPEG 2000", ["image/jp2", "image/j2c", "image/jpx"], .vips(.jp2k)),
    ("BMP", ["image/bmp"], .own(.bitmap)),
    ("ICO, CUR", ["image/vnd.microsoft.icon", "image/x-win-bitmap"], .own(.icon)),
    ("WBMP", ["image/vnd.wap.wbmp"], .own(.wirelessBitmap)),
    ("QOI", ["image/x-qoi"], .libav(codec: "qoi")),
    ("TGA", ["image/x-tga"], .libav(codec: "targa")),
    ("PSD", ["image/vnd.adobe.photoshop"], .libav(codec: "psd")),
    ("Camera raw", MediaType.cameraRaws, .rawPreview),
  ]

  private static let byType = Dictionary(
    table.flatMap { row in row.types.map { ($0, row.loader) } }, uniquingKeysWith: { first, _ in first })

  /// The loader for a type; nil if it cannot be decoded.
  init?(type: MediaType) {
    guard let loader = Self.byType[type.rawValue] else { return nil }
    self = loader
  }

  /// The loader of an embedded thumbnail.
  static let jpeg = Loader.vips(.jpeg)

  /// Whether it renders vector graphics, at any size.
  var draws: Bool { self == .vips(.svg) }

  /// Whether it can return the embedded thumbnail instead of the image.
  var findsThumbnail: Bool { self == .vips(.heif) }

  /// Whether the decoder applies the orientation, so that the metadata's must not be applied again.
  var turnsUpright: Bool { self == .vips(.heif) || self == .vips(.jxl) }

  /// Whether the libraries on this machine have the loader. libvips must be started first.
  ///
  /// It does not check the codecs that a loader needs.
  var isInstalled: Bool {
    switch self {
    case .vips(let loader): mediatool_vips_has_loader(loader)
    case .libav(let codec): mediatool_still_has_decoder(codec)
    case .own(.bitmap): mediatool_still_has_decoder("bmp")
    case .own: true
    case .rawPreview: mediatool_vips_has_loader(.jpeg)
    }
  }
}

extension Loader {
  /// Whether it can decode all frames of an animation.
  var animates: Bool { self == .vips(.gif) || self == .vips(.webp) || frames != nil }

  /// The libav decoder for all frames of a type for which libvips only returns the first.
  var frames: FrameDecoder? {
    switch self {
    case .vips(.png): FrameDecoder(demuxer: "apng", decoders: "apng")
    case .vips(.heif): FrameDecoder(demuxer: "mov", decoders: "libdav1d,libaom-av1,hevc")
    default: nil
    }
  }

  /// libav's name of one demuxer, and of the decoders that it may use.
  struct FrameDecoder {
    let demuxer: StaticString
    let decoders: StaticString
  }
}
