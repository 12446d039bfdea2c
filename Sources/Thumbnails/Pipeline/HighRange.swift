internal import CMediaShims
internal import MediaModel

/// The signal of an image of high dynamic range, which has to be mapped to a standard display before it is shown. Pure.
///
/// How it is mapped, and for which display, stands in `mediatool_tone_map.h`.
struct HighRange: Hashable {
  let transfer: Transfer
  let primaries: MediaInfo.ColorPrimaries

  /// From signal to light.
  enum Transfer {
    /// SMPTE ST 2084.
    case pq
    /// ARIB STD-B67.
    case hlg
  }

  /// nil for a standard image, with a gain map or without, and for what the decoder maps itself.
  init?(info: MediaInfo, loader: Loader) {
    // JPEG XL comes with a profile that says what its signals mean.
    guard loader == .vips(.heif) || loader == .vips(.png) else { return nil }
    switch info.hdr {
    case .pq: transfer = .pq
    case .hlg: transfer = .hlg
    case .gainmap, nil: return nil
    }
    primaries = info.colorPrimaries ?? .bt2020
  }

  var shim: mediatool_tone_map_options {
    let primaries =
      switch primaries {
      case .bt709: MEDIATOOL_PRIMARIES_BT709
      case .bt2020: MEDIATOOL_PRIMARIES_BT2020
      case .p3: MEDIATOOL_PRIMARIES_P3
      }
    let transfer = transfer == .pq ? MEDIATOOL_TRANSFER_PQ : MEDIATOOL_TRANSFER_HLG
    return mediatool_tone_map_options(transfer: CInt(transfer), primaries: CInt(primaries), peak: 0, white: 0)
  }
}
