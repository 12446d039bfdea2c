extension TranscodeRequest {
  /// The output format of transcoding: the video and audio classes that message services carry.
  public enum Format: Hashable, Codable, Sendable {
    /// H.264 Constrained Baseline up to the given level, with AAC, in MP4. Every phone of the last fifteen years plays
    /// it.
    case mp4(H264Level)
    /// H.263 profile 0 and narrowband AMR in 3GP: "Video Basic" and "Video Rich" of OMA-TS-MMS-CONF.
    ///
    /// AAC replaces AMR if this machine cannot encode AMR and the source has none.
    case threeGP(H263Size)
    /// Audio only: narrowband AMR (RFC 4867, section 5). AAC in 3GP if this machine cannot encode AMR.
    case amr
    /// Audio only: AAC in MP4.
    case aac

    /// Whether the format has a video stream.
    public var hasImages: Bool {
      switch self {
      case .mp4, .threeGP: true
      case .amr, .aac: false
      }
    }
  }
}

extension TranscodeRequest {
  /// The picture sizes of H.263 profile 0 that messages use. A video of another aspect ratio gets black bars.
  public enum H263Size: String, Codable, Sendable, CaseIterable {
    /// 128 × 96.
    case sqcif
    /// 176 × 144.
    case qcif
    /// 352 × 288.
    case cif

    /// Width and height in pixels.
    public var size: PixelSize {
      switch self {
      case .sqcif: PixelSize(width: 128, height: 96)
      case .qcif: PixelSize(width: 176, height: 144)
      case .cif: PixelSize(width: 352, height: 288)
      }
    }
  }
}

extension TranscodeRequest {
  /// An H.264 level: the frame size, frame rate and bit rate that a decoder must support (ITU-T H.264, table A-1).
  public enum H264Level: String, Codable, Sendable, CaseIterable {
    /// 128 × 96 at 30 fps, 64 kbit/s.
    case level1 = "1"
    /// As level 1, but 128 kbit/s.
    case level1b = "1b"
    /// 320 × 240 at 10 fps, 192 kbit/s.
    case level11 = "1.1"
    /// 320 × 240 at 20 fps, 384 kbit/s.
    case level12 = "1.2"
    /// 352 × 288 at 30 fps, 768 kbit/s.
    case level13 = "1.3"
    /// 352 × 288 at 30 fps, 2 Mbit/s.
    case level2 = "2"
    /// 352 × 480 at 30 fps, 4 Mbit/s.
    case level21 = "2.1"
    /// 720 × 480 at 15 fps, 4 Mbit/s.
    case level22 = "2.2"
    /// 720 × 480 at 30 fps, 10 Mbit/s.
    case level3 = "3"
    /// 1,280 × 720 at 30 fps, 14 Mbit/s.
    case level31 = "3.1"
    /// 1,280 × 1,024 at 42 fps, 20 Mbit/s.
    case level32 = "3.2"
    /// 1,920 × 1,080 at 30 fps, 20 Mbit/s.
    case level4 = "4"
  }
}
