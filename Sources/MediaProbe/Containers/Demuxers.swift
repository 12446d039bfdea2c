internal import MediaModel

/// What libav may use. The demuxer follows from the type that we decided; nothing else ever looks at the file.
enum Demuxers {
  /// libavformat's name of the demuxer for a type; nil where there is none or none is allowed. Playlists (hls, dash, concat) and image
  /// sequences, which open further files, are not among them.
  static func name(for type: MediaType, _ reader: ByteReader) -> String? {
    switch type {
    case .mp4, .quickTime, .video3GPP, .video3GPP2, .motionJPEG2000, .mp4Audio, .audio3GPP, .audio3GPP2: "mov"
    case .matroska, .webm, .matroskaAudio, .webmAudio: "matroska"
    case .avi: "avi"
    case .mpegTS: "mpegts"
    // A program stream, or a bare video stream.
    case .mpegVideo: reader.u32be(0) == 0x0000_01BA ? "mpeg" : "mpegvideo"
    case .oggVideo, .oggAudio, .ogg: "ogg"
    case .flv: "flv"
    case .asf, .windowsMediaAudio: "asf"
    case .mpegAudio: "mp3"
    case .adts: "aac"
    case .flac: "flac"
    case .wav: "wav"
    case .wave64: "w64"
    case .aiff: "aiff"
    case .amr, .amrWideband: "amr"
    case .coreAudio: "caf"
    case .sunAudio: "au"
    case .ac3: "ac3"
    case .eac3: "eac3"
    default: nil
    }
  }

  /// libavcodec's names of the decoders that may be opened to learn what a container does not say. Still pictures are not among
  /// them: covers are not decoded here.
  static let decoders = [
    "h264", "hevc", "libdav1d", "vp8", "vp9", "mpeg4", "h263", "flv", "mpeg1video", "mpeg2video", "theora", "mjpeg",
    "msmpeg4", "msmpeg4v1", "msmpeg4v2", "wmv1", "wmv2", "wmv3", "vc1", "prores", "dvvideo",
    "aac", "mp3float", "mp3", "mp2float", "mp2", "mp1float", "mp1", "vorbis", "opus", "flac", "alac", "ac3", "eac3",
    "amrnb", "amrwb", "wmav1", "wmav2", "wmapro", "wmavoice", "speex", "libspeex", "gsm", "gsm_ms",
    "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le",
    "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw", "adpcm_ima_wav", "adpcm_ima_qt", "adpcm_ms", "adpcm_swf",
  ]
}
