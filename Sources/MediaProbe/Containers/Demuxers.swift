package import MediaModel

/// The demuxers and decoders that libav may use. The type that we determined selects the demuxer; libav never probes
/// the file.
package enum Demuxers {
  /// The supported containers with libavformat's names of their demuxers. To add a container, add a line.
  ///
  /// Playlists (hls, dash, concat) and image sequences are excluded, because they open further files.
  static let table: [(format: String, types: [MediaType], demuxer: String)] = [
    (
      "MP4, MOV, 3GP",
      [.mp4, .quickTime, .video3GPP, .video3GPP2, .motionJPEG2000, .mp4Audio, .audio3GPP, .audio3GPP2], "mov"
    ),
    ("Matroska, WebM", [.matroska, .webm, .matroskaAudio, .webmAudio], "matroska"),
    ("AVI", [.avi], "avi"),
    ("MPEG-TS", [.mpegTS], "mpegts"),
    ("MPEG-PS", [.mpegVideo], "mpeg"),
    ("Ogg", [.oggVideo, .oggAudio, .ogg], "ogg"),
    ("FLV", [.flv], "flv"),
    ("WMV, WMA", [.asf, .windowsMediaAudio], "asf"),
    ("MP3", [.mpegAudio], "mp3"),
    ("AAC", [.adts], "aac"),
    ("FLAC", [.flac], "flac"),
    ("WAV", [.wav], "wav"),
    ("Wave64", [.wave64], "w64"),
    ("AIFF", [.aiff], "aiff"),
    ("AMR", [.amr, .amrWideband], "amr"),
    ("CAF", [.coreAudio], "caf"),
    ("AU", [.sunAudio], "au"),
    ("AC-3", [.ac3], "ac3"),
    ("E-AC-3", [.eac3], "eac3"),
    ("WavPack", [.wavPack], "wv"),
  ]

  private static let byType = Dictionary(
    table.flatMap { row in row.types.map { ($0, row.demuxer) } }, uniquingKeysWith: { first, _ in first })

  /// The demuxer for a type, given the start of the file; nil if none is allowed.
  package static func name(for type: MediaType, in input: borrowing MediaInput) -> String? {
    name(for: type, input.reader())
  }

  /// The demuxer for a type; nil if none is allowed.
  static func name(for type: MediaType, _ reader: ByteReader) -> String? {
    // A raw video stream has the same type as a program stream.
    if type == .mpegVideo, reader.u32be(0) != 0x0000_01BA { return "mpegvideo" }
    return byType[type]
  }

  /// libavcodec's names of the decoders for parameters that a container does not state. Still images are excluded:
  /// covers are not decoded here.
  static let decoders = [
    "h264", "hevc", "libdav1d", "vp8", "vp9", "mpeg4", "h263", "flv", "mpeg1video", "mpeg2video", "theora", "mjpeg",
    "msmpeg4", "msmpeg4v1", "msmpeg4v2", "wmv1", "wmv2", "wmv3", "vc1", "prores", "dvvideo",
    "aac", "mp3float", "mp3", "mp2float", "mp2", "mp1float", "mp1", "vorbis", "opus", "flac", "alac", "wavpack", "ac3",
    "eac3",
    "amrnb", "amrwb", "wmav1", "wmav2", "wmapro", "wmavoice", "speex", "libspeex", "gsm", "gsm_ms",
    "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le",
    "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw", "adpcm_ima_wav", "adpcm_ima_qt", "adpcm_ms", "adpcm_swf",
    "g722", "g726", "g726le", "aac_latm", "pcm_dvd", "pcm_f64be", "tta", "dca", "qcelp", "evrc", "nellymoser",
  ]

  /// libavcodec's names of the decoders for video frames. To add a codec, add its name.
  ///
  /// They are those above, some older ones whose parameters are in the header, those of libvpx for alpha, and those of
  /// covers.
  package static let imageDecoders =
    decoders + [
      "vp6", "vp6f", "vp6a", "qtrle", "jpeg2000", "dnxhd", "h263p", "libvpx", "libvpx-vp9", "png", "bmp",
    ]
}
