internal import CMediaShims
internal import MediaModel

/// The signal of an HDR image, which must be tone-mapped for a standard display. Pure.
///
/// `mediatool_tone_map.h` documents the mapping and the assumed display.
struct HDRSignal: Hashable {
  let transfer: Transfer
  let primaries: MediaInfo.ColorPrimaries

  /// The transfer function.
  enum Transfer {
    /// SMPTE ST 2084.
    case pq
    /// ARIB STD-B67.
    case hlg
  }

  /// Nil for a standard dynamic range image, with or without a gain map, and if the decoder itself tone-maps.
  init?(info: MediaInfo, loader: Loader) {
    // JPEG XL has a profile that defines its signal.
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
