internal import CMediaShims
internal import MediaModel

/// Who decodes a type. The loader is named by us, by content; nothing is ever tried in turn.
///
/// To add a format: a line here, a case in `mediatool_loader` when libvips is to decode it.
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

  /// The loaders of libvips on our allowlist.
  enum VipsLoader: Hashable {
    case jpeg
    case png
    case gif
    case webp
    case heif
    case tiff
    case jxl
    case jp2k
    case svg
  }

  /// The loader for a type; nil when nothing here makes pixels of it.
  init?(type: MediaType) {
    switch type.rawValue {
    case "image/jpeg": self = .vips(.jpeg)
    case "image/png": self = .vips(.png)
    case "image/gif": self = .vips(.gif)
    case "image/webp": self = .vips(.webp)
    case "image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", "image/avif": self = .vips(.heif)
    case "image/tiff": self = .vips(.tiff)
    case "image/jxl": self = .vips(.jxl)
    case "image/jp2", "image/j2c": self = .vips(.jp2k)
    case "image/svg+xml": self = .vips(.svg)
    case "image/bmp": self = .own(.bitmap)
    case "image/vnd.microsoft.icon", "image/x-win-bitmap": self = .own(.icon)
    case "image/vnd.wap.wbmp": self = .own(.wirelessBitmap)
    case "image/x-qoi": self = .libav(codec: "qoi")
    case "image/x-tga": self = .libav(codec: "targa")
    case "image/vnd.adobe.photoshop": self = .libav(codec: "psd")
    case "image/x-adobe-dng", "image/x-canon-cr2", "image/x-nikon-nef", "image/x-sony-arw": self = .rawPreview
    default: return nil
    }
  }

  /// Whether the decoder itself turns the picture upright, so that an orientation in the metadata must not be applied again.
  var turnsUpright: Bool { self == .vips(.heif) || self == .vips(.jxl) }
}

extension Loader.VipsLoader {
  var shim: mediatool_loader {
    switch self {
    case .jpeg: MEDIATOOL_LOADER_JPEG
    case .png: MEDIATOOL_LOADER_PNG
    case .gif: MEDIATOOL_LOADER_GIF
    case .webp: MEDIATOOL_LOADER_WEBP
    case .heif: MEDIATOOL_LOADER_HEIF
    case .tiff: MEDIATOOL_LOADER_TIFF
    case .jxl: MEDIATOOL_LOADER_JXL
    case .jp2k: MEDIATOOL_LOADER_JP2K
    case .svg: MEDIATOOL_LOADER_SVG
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
