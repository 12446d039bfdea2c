internal import CMediaShims
internal import MediaModel

/// Who decodes a type. The loader is named by us, by content; nothing is ever tried in turn.
enum Loader: Hashable {
  /// A loader of libvips.
  case vips(VipsLoader)
  /// A still decoder of libavcodec that takes the whole file as one packet.
  case libav(codec: String)
  /// A layout that our own small readers know, and libvips and libavcodec do not.
  case own(OwnLoader)
  /// A camera raw: its embedded JPEG stands for it.
  case rawPreview

  /// The readers of this module.
  enum OwnLoader: Hashable {
    /// BMP: with masks ours, all else libavcodec's.
    case bitmap
    /// ICO and CUR.
    case icon
    case wirelessBitmap
  }

  /// What images are made of. To add a format, add a line; and a `mediatool_loader` when it is libvips that decodes it.
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
    ("JPEG 2000", ["image/jp2", "image/j2c"], .vips(.jp2k)),
    ("BMP", ["image/bmp"], .own(.bitmap)),
    ("ICO, CUR", ["image/vnd.microsoft.icon", "image/x-win-bitmap"], .own(.icon)),
    ("WBMP", ["image/vnd.wap.wbmp"], .own(.wirelessBitmap)),
    ("QOI", ["image/x-qoi"], .libav(codec: "qoi")),
    ("TGA", ["image/x-tga"], .libav(codec: "targa")),
    ("PSD", ["image/vnd.adobe.photoshop"], .libav(codec: "psd")),
    ("Camera raw", ["image/x-adobe-dng", "image/x-canon-cr2", "image/x-nikon-nef", "image/x-sony-arw"], .rawPreview),
  ]

  private static let byType = Dictionary(
    table.flatMap { row in row.types.map { ($0, row.loader) } }, uniquingKeysWith: { first, _ in first })

  /// The loader for a type; nil when nothing here makes pixels of it.
  init?(type: MediaType) {
    guard let loader = Self.byType[type.rawValue] else { return nil }
    self = loader
  }

  /// The loader of an embedded thumbnail.
  static let jpeg = Loader.vips(.jpeg)

  /// Whether it draws, at any size, what has no pixels of its own.
  var draws: Bool { self == .vips(.svg) }

  /// Whether it can give the embedded thumbnail in place of the image.
  var findsThumbnail: Bool { self == .vips(.heif) }

  /// Whether the decoder itself turns the image upright, so that an orientation in the metadata must not be applied again.
  var turnsUpright: Bool { self == .vips(.heif) || self == .vips(.jxl) }

  /// Whether the libraries of this machine have it. libvips has to be started before.
  ///
  /// It says nothing of the codecs below a loader.
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
  /// Whether all frames of an animation can be had.
  var animates: Bool { self == .vips(.gif) || self == .vips(.webp) || frames != nil }

  /// What of libav gives the frames of a type of which libvips gives only the first.
  var frames: FrameDecoder? {
    switch self {
    case .vips(.png): FrameDecoder(demuxer: "apng", decoders: "apng")
    case .vips(.heif): FrameDecoder(demuxer: "mov", decoders: "libdav1d,libaom-av1,hevc")
    default: nil
    }
  }

  /// Names of libav: one demuxer, and the decoders that it may use.
  struct FrameDecoder {
    let demuxer: StaticString
    let decoders: StaticString
  }
}
