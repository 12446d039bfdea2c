/// What a video or an audio file becomes: the classes of video and voice that message services carry.
public enum TranscodeFormat: Hashable, Codable, Sendable {
  /// H.264 Constrained Baseline, never above that level, and AAC, in MP4: what every phone of the last fifteen years plays.
  case mp4(H264Level)
  /// H.263 profile 0 and AMR narrow band in 3GP: "Video Basic" and "Video Rich" of OMA-TS-MMS-CONF. AAC in place of AMR where the
  /// machine cannot write AMR and the source has none.
  case threeGP(H263Size)
  /// Audio alone, AMR narrow band (RFC 4867, section 5); AAC in 3GP where the machine cannot write AMR.
  case amr
  /// Audio alone, AAC in MP4.
  case aac

  /// Whether images are a part of it.
  public var hasImages: Bool {
    switch self {
    case .mp4, .threeGP: true
    case .amr, .aac: false
    }
  }
}

/// The sizes of image that H.263 profile 0 knows, as far as messages use them. A video of another shape stands between black bars.
public enum H263Size: String, Codable, Sendable, CaseIterable {
  /// 128 × 96.
  case sqcif
  /// 176 × 144.
  case qcif
  /// 352 × 288.
  case cif

  /// Columns and rows.
  public var size: PixelSize {
    switch self {
    case .sqcif: PixelSize(width: 128, height: 96)
    case .qcif: PixelSize(width: 176, height: 144)
    case .cif: PixelSize(width: 352, height: 288)
    }
  }
}

/// A level of H.264: how large, how fast and how rich a video may be for a decoder to keep up (ITU-T H.264, table A-1).
public enum H264Level: String, Codable, Sendable, CaseIterable {
  /// 128 × 96 at 30 frames a second, 64 kbit/s.
  case level1 = "1"
  /// As level 1, 128 kbit/s.
  case level1b = "1b"
  /// 320 × 240 at 10 frames a second, 192 kbit/s.
  case level11 = "1.1"
  /// 320 × 240 at 20 frames a second, 384 kbit/s.
  case level12 = "1.2"
  /// 352 × 288 at 30 frames a second, 768 kbit/s.
  case level13 = "1.3"
  /// 352 × 288 at 30 frames a second, 2 Mbit/s.
  case level2 = "2"
  /// 352 × 480 at 30 frames a second, 4 Mbit/s.
  case level21 = "2.1"
  /// 720 × 480 at 15 frames a second, 4 Mbit/s.
  case level22 = "2.2"
  /// 720 × 480 at 30 frames a second, 10 Mbit/s.
  case level3 = "3"
  /// 1,280 × 720 at 30 frames a second, 14 Mbit/s.
  case level31 = "3.1"
  /// 1,280 × 1,024 at 42 frames a second, 20 Mbit/s.
  case level32 = "3.2"
  /// 1,920 × 1,080 at 30 frames a second, 20 Mbit/s.
  case level4 = "4"
}
