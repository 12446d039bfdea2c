internal import MediaModel

/// Signatures of MPEG audio and MPEG systems. Their sync words are short, so several consecutive frames or packets must
/// agree.
enum MPEGSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    if let end = ID3Tag.end(reader, at: 0) { return afterTag(reader, end) }
    switch reader.u32be(0) {
    // ISO/IEC 13818-1, 2.5.3.3 and ISO/IEC 11172-1, 2.4.3.2: a pack header and its version marker.
    case 0x0000_01BA:
      guard let marker = reader.u8(4) else { return nil }
      return marker & 0xC4 == 0x44 || marker & 0xF1 == 0x21 ? .mpegVideo : nil
    // ISO/IEC 13818-2, 6.2.2.1: a sequence header with a size and a known frame rate.
    case 0x0000_01B3:
      guard let size = reader.u24be(4), size >> 12 > 0, size & 0xFFF > 0, let rates = reader.u8(7) else { return nil }
      return (1...8).contains(rates & 0xF) ? .mpegVideo : nil
    default: break
    }
    return audio(reader, at: 0) ?? (isTransportStream(reader) ? .mpegTS : nil)
  }

  /// The type of a file with an ID3 tag: usually MP3, sometimes AAC or FLAC. https://id3.org/id3v2.4.0-structure
  private static func afterTag(_ reader: ByteReader, _ end: Int) -> MediaType {
    var start = end
    // Some writers add padding after the tag without counting it.
    let limit = min(reader.count, end + 4_096)
    while start < limit, reader.u8(start) == 0 { start += 1 }
    if reader.has("fLaC", at: start) { return .flac }
    return audio(reader, at: start) ?? .mpegAudio
  }

  /// The first frame of MPEG audio that begins inside another frame, as in a part of a recording or a stream; nil
  /// without one.
  ///
  /// The longest frame has 2,881 bytes. Eight frames have to follow each other, because the bytes before are arbitrary.
  static func firstFrame(_ reader: ByteReader, from start: Int) -> Int? {
    let limit = min(reader.count, start + 2_881)
    for offset in start..<max(start, limit) {
      guard reader.u8(offset) == 0xFF, let first = MPEGAudioHeader(reader, at: offset) else { continue }
      var next = offset + first.length
      var frames = 1
      while frames < 8, let header = MPEGAudioHeader(reader, at: next), header.stable == first.stable {
        next += header.length
        frames += 1
      }
      if frames == 8 { return offset }
    }
    return nil
  }

  private static func audio(_ reader: ByteReader, at start: Int) -> MediaType? {
    if agree(reader, at: start, frame: { MPEGAudioHeader(reader, at: $0).map { ($0.length, $0.stable) } }) {
      return .mpegAudio
    }
    if agree(reader, at: start, frame: { ADTSHeader(reader, at: $0).map { ($0.length, $0.stable) } }) { return .adts }
    return nil
  }

  /// Whether three frames of the same kind follow each other, or as many as the file has.
  private static func agree(_ reader: ByteReader, at start: Int, frame: (Int) -> (length: Int, stable: UInt32)?) -> Bool
  {
    guard let first = frame(start) else { return false }
    var offset = start + first.length
    var frames = 1
    while frames < 3, offset < reader.count, !isTrailingTag(reader, offset) {
      guard let next = frame(offset), next.stable == first.stable else { return false }
      offset += next.length
      frames += 1
    }
    // A single frame must fill the file exactly; of several the last may be truncated.
    return frames > 1 || offset <= reader.count
  }

  /// Whether an ID3v1 or APEv2 tag follows the last frame of an MP3.
  static func isTrailingTag(_ reader: ByteReader, _ offset: Int) -> Bool {
    reader.has("TAG", at: offset) || reader.has("APETAGEX", at: offset)
  }

  /// ISO/IEC 13818-1, 2.4.3.2: packets of 188 bytes that begin with 0x47. Blu-ray and AVCHD add 4 bytes of timecode
  /// before each, DVB adds 16 bytes of error correction after it.
  private static func isTransportStream(_ reader: ByteReader) -> Bool {
    [(188, 0), (192, 4), (204, 0)].contains { size, lead in
      let packets = min(8, reader.count / size)
      guard packets >= 3 else { return false }
      return (0..<packets).allSatisfy { index in
        let offset = index * size + lead
        // adaptation_field_control 0 is reserved, which excludes a text of only "G".
        guard reader.u8(offset) == 0x47, let control = reader.u8(offset + 3) else { return false }
        return control & 0x30 != 0
      }
    }
  }
}
