internal import CLibAV
internal import CMediaShims
internal import ISOBaseMedia
internal import MediaModel

/// The facts of one stream of a container.
struct StreamFacts {
  enum Role { case video, audio, cover, other }

  let role: Role
  let isDefault: Bool
  /// FFmpeg's codec name; `unknown` if the stream names none.
  let codec: String
  /// Duration in seconds.
  let duration: Double?
  let tags: AVTags

  // Video. Sizes are as displayed: after pixel aspect ratio and rotation.
  var size: PixelSize?
  var frameRate: Double?
  var matrix: DisplayMatrix?
  var hdr: MediaInfo.HDR?
  var primaries: MediaInfo.ColorPrimaries?
  var alpha = false

  // Audio.
  var channels: Int?
  var sampleRate: Int?

  /// Whether the header omits facts that reading packets would provide.
  var isIncomplete = false

  /// A stream without facts yet.
  init(role: Role, isDefault: Bool, codec: String, tags: AVTags) {
    self.role = role
    self.isDefault = isDefault
    self.codec = codec
    self.tags = tags
    duration = nil
  }

  init(_ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>) {
    let parameters = stream.pointee.codecpar.pointee
    let covers = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS
    switch parameters.codec_type {
    case AVMEDIA_TYPE_VIDEO: role = stream.pointee.disposition & covers != 0 ? .cover : .video
    case AVMEDIA_TYPE_AUDIO: role = .audio
    default: role = .other
    }
    isDefault = stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
    codec = parameters.codec_id == AV_CODEC_ID_NONE ? "unknown" : String(cString: avcodec_get_name(parameters.codec_id))
    let base = stream.pointee.time_base
    duration =
      stream.pointee.duration > 0 && base.num > 0 && base.den > 0
      ? Double(stream.pointee.duration) * Double(base.num) / Double(base.den) : nil
    tags = AVTags(stream.pointee.metadata)
    let isNamed = parameters.codec_id != AV_CODEC_ID_NONE
    if role == .video {
      readImage(stream, parameters, context)
      isIncomplete = isNamed && (size == nil || frameRate == nil || mayHideHDR(parameters) || mayHideAspect(stream))
    } else if role == .audio {
      channels = parameters.ch_layout.nb_channels > 0 ? Int(parameters.ch_layout.nb_channels) : nil
      sampleRate = parameters.sample_rate > 0 ? Int(parameters.sample_rate) : nil
      isIncomplete = isNamed && (channels == nil || sampleRate == nil)
    }
  }

  private mutating func readImage(
    _ stream: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters,
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) {
    if let data = sideData(stream, AV_PKT_DATA_DISPLAYMATRIX, MemoryLayout<Int32>.size * 9) {
      matrix = DisplayMatrix((0..<9).map { data.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) })
    }
    if parameters.width > 0, parameters.height > 0 {
      let aspect = av_guess_sample_aspect_ratio(context, stream, nil)
      let stored = PixelSize(width: Int(parameters.width), height: Int(parameters.height))
      let square = Self.squared(stored, aspect)
      size = matrix.map { $0.orientation.displayed(square) } ?? square
    }
    // Prefer libav's average frame rate; in transport streams only the base rate may be known.
    let average = stream.pointee.avg_frame_rate
    let rate = average.num > 0 ? average : stream.pointee.r_frame_rate
    if rate.num > 0, rate.den > 0 {
      // No camera records more than 480 fps for playback at that rate; a higher value comes from a few odd timestamps.
      let value = (Double(rate.num) / Double(rate.den) * 1_000).rounded() / 1_000
      if value > 0, value <= 480 { frameRate = value }
    }
    hdr = Self.hdr(parameters.color_trc) ?? dolbyVisionBase(stream)
    // libav uses the code points of ITU-T H.273.
    if hdr != nil {
      primaries = MediaInfo.ColorPrimaries(colorPrimaries: Int(parameters.color_primaries.rawValue))
    }
    alpha = tags["alpha_mode"] == "1" || Self.hasAlpha(parameters)
  }

  /// The size with square pixels: the width is scaled, the height is kept.
  static func squared(_ size: PixelSize, _ aspect: AVRational) -> PixelSize {
    guard aspect.num > 0, aspect.den > 0 else { return size }
    let width = (Double(size.width) * Double(aspect.num) / Double(aspect.den)).rounded()
    // A more extreme ratio is an error.
    guard width >= 1, width <= Double(size.width) * 8, width * 8 >= Double(size.width) else { return size }
    return PixelSize(width: Int(width), height: size.height)
  }

  private static func hdr(_ transfer: AVColorTransferCharacteristic) -> MediaInfo.HDR? {
    switch transfer {
    case AVCOL_TRC_SMPTE2084: .pq
    case AVCOL_TRC_ARIB_STD_B67: .hlg
    default: nil
    }
  }

  /// The HDR method of the base layer. Dolby Vision profile 5 has no base layer but is PQ (Dolby Vision Profiles and
  /// Levels, 1.3.3); for profile 8 it depends on the base layer.
  private func dolbyVisionBase(_ stream: UnsafeMutablePointer<AVStream>) -> MediaInfo.HDR? {
    let size = MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    guard let data = sideData(stream, AV_PKT_DATA_DOVI_CONF, size) else { return nil }
    let record = data.loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
    switch (record.dv_profile, record.dv_bl_signal_compatibility_id) {
    case (5, _), (_, 1), (_, 6): return .pq
    case (_, 4): return .hlg
    default: return nil
    }
  }

  /// Whether the codec carries alpha: ProRes 4444, and uncompressed or run-length coded 32-bit images, by their
  /// QuickTime names.
  private static func hasAlpha(_ parameters: AVCodecParameters) -> Bool {
    if parameters.codec_id == AV_CODEC_ID_PRORES {
      // The tag is little-endian: "ap4h", "ap4x".
      return [FourCC("ap4h"), FourCC("ap4x")].contains(FourCC(rawValue: parameters.codec_tag.byteSwapped))
    }
    if [AV_CODEC_ID_QTRLE, AV_CODEC_ID_PNG].contains(parameters.codec_id), parameters.bits_per_coded_sample == 32 {
      return true
    }
    guard let description = av_pix_fmt_desc_get(AVPixelFormat(rawValue: parameters.format)) else { return false }
    return description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  /// Whether the video has more than eight bits and the header states no transfer function, so that only the bit stream
  /// has it.
  private func mayHideHDR(_ parameters: AVCodecParameters) -> Bool {
    guard hdr == nil, parameters.color_trc == AVCOL_TRC_UNSPECIFIED, let data = parameters.extradata,
      parameters.extradata_size >= 4
    else { return false }
    switch parameters.codec_id {
    // hvcC, general_profile_idc: all except Main. av1C: high_bitdepth. avcC: High 10 and above. ISO/IEC 14496-15,
    // AV1-ISOBMFF 2.3.
    case AV_CODEC_ID_HEVC: return data[0] == 1 && data[1] & 0x1F > 1
    case AV_CODEC_ID_AV1: return data[0] == 0x81 && data[2] & 0x40 != 0
    case AV_CODEC_ID_H264: return data[0] == 1 && data[1] >= 110
    default: return false
    }
  }

  /// Whether the header states no pixel aspect ratio and the size is one that television uses with non-square pixels.
  private func mayHideAspect(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard stream.pointee.sample_aspect_ratio.num == 0, stream.pointee.codecpar.pointee.sample_aspect_ratio.num == 0
    else { return false }
    let parameters = stream.pointee.codecpar.pointee
    return Self.mayHaveOtherPixels(PixelSize(width: Int(parameters.width), height: Int(parameters.height)))
  }

  /// Whether television uses this size with non-square pixels.
  static func mayHaveOtherPixels(_ size: PixelSize) -> Bool {
    switch (size.width, size.height) {
    case (352...720, 480), (352...720, 576), (352, 240), (352, 288), (960, 720), (1_280, 1_080), (1_440, 1_080):
      return size.width != 640
    default: return false
    }
  }

  private func sideData(
    _ stream: UnsafeMutablePointer<AVStream>, _ type: AVPacketSideDataType, _ size: Int
  ) -> UnsafeRawPointer? {
    var found = 0
    guard let data = mediatool_av_side_data(stream, type, &found), found >= size else { return nil }
    return UnsafeRawPointer(data)
  }
}
