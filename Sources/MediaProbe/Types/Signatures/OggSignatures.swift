internal import MediaModel

/// Ogg (RFC 3533): each stream begins with its own page, whose first packet identifies the codec. One video stream
/// makes the file a video (RFC 5334).
enum OggSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    guard reader.has("OggS", at: 0), reader.u8(4) == 0 else { return nil }
    var offset = 0
    var hasAudio = false
    // All first pages precede any other page.
    for _ in 0..<16 {
      guard reader.has("OggS", at: offset), let flags = reader.u8(offset + 5), flags & 2 != 0,
        let segments = reader.u8(offset + 26)
      else { break }
      let packet = offset + 27 + Int(segments)
      if isVideo(reader, packet) { return .oggVideo }
      hasAudio = hasAudio || isAudio(reader, packet)
      offset = packet + reader.bytes(offset + 27, Int(segments)).reduce(0) { $0 + Int($1) }
    }
    return hasAudio ? .oggAudio : .ogg
  }

  private static func isVideo(_ reader: ByteReader, _ at: Int) -> Bool {
    // Theora, Dirac, VP8, OGM's own header (DirectShow).
    (reader.u8(at) == 0x80 && reader.has("theora", at: at + 1)) || reader.has("BBCD\0", at: at)
      || reader.has("OVP80", at: at)
      || reader.has("\u{1}video", at: at)
  }

  private static func isAudio(_ reader: ByteReader, _ at: Int) -> Bool {
    // Vorbis, Opus (RFC 7845), Speex, FLAC, CELT, OGM's own header, PCM.
    reader.has("\u{1}vorbis", at: at) || reader.has("OpusHead", at: at) || reader.has("Speex   ", at: at)
      || reader.has("\u{7F}FLAC", at: at) || reader.has("CELT    ", at: at) || reader.has("\u{1}audio", at: at)
      || reader.has("PCM     ", at: at)
  }
}
