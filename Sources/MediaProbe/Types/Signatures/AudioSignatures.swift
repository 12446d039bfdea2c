internal import ISOBaseMedia
internal import MediaModel

/// Signatures of audio and streaming formats.
enum AudioSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    switch reader.fourCC(0) {
    // RFC 9639, 6: the stream marker; STREAMINFO is the first block, with 34 bytes.
    case "fLaC": return reader.u32be(4).map { $0 & 0x7FFF_FFFF == 34 } == true ? .flac : nil
    // RFC 4867, 5.1: AMR, AMR-WB, and the multi-channel files of either.
    case "#!AM":
      if reader.has("#!AMR-WB", at: 0) { return .amrWideband }
      return reader.has("#!AMR\n", at: 0) || reader.has("#!AMR_MC1.0\n", at: 0) ? .amr : nil
    // MIDI 1.0 Detailed Specification, standard MIDI files: a header of six bytes, format 0 to 2.
    case "MThd":
      guard reader.u32be(4) == 6, let format = reader.u16be(8) else { return nil }
      return format <= 2 ? .midi : nil
    // WavPack 4 and 5 Binary File / Block Format, 2.0: the version of a block is 0x402 to 0x410.
    case "wvpk": return reader.u16le(8).map { (0x402...0x410).contains($0) } == true ? .wavPack : nil
    // Sun audio: a header of at least 24 bytes.
    case ".snd": return reader.u32be(4).map { $0 >= 24 && $0 <= 65_536 } == true ? .sunAudio : nil
    // The SDK of Monkey's Audio: versions 3.00 to 3.99.
    case "MAC ": return reader.u16le(4).map { (3_000...3_999).contains($0) } == true ? .monkeysAudio : nil
    // Musepack, stream version 8: the first packet is the stream header.
    case "MPCK": return .musepack
    // https://wiki.multimedia.cx/index.php/RealMedia: a file header of version 0 or 1.
    case ".RMF":
      guard let size = reader.u32be(4), (10...64).contains(size) else { return nil }
      return RealMedia.hasVideo(reader) ? .realMedia : .realAudio
    case FourCC(rawValue: 0x2E72_61FD): return reader.u16be(4).map { (3...5).contains($0) } == true ? .realAudio : nil
    default: break
    }
    // Musepack, stream version 7: its number is in the lower half of the fourth byte.
    if reader.has("MP+", at: 0), let version = reader.u8(3), version & 0xF == 7 { return .musepack }
    // Adobe Flash Video File Format Specification 10.1, E.2: version 1, reserved flag bits 0, a header of nine bytes.
    if reader.has("FLV\u{1}", at: 0), let flags = reader.u8(4), flags & 0xFA == 0, reader.u32be(5) == 9 { return .flv }
    // Advanced Systems Format Specification, 2.1: the GUID of the Header Object.
    if reader.u64be(0) == 0x3026_B275_8E66_CF11, reader.u64be(8) == 0xA6D9_00AA_0062_CE6C { return .asf }
    return isEnhancedAC3(reader) ? .eac3 : nil
  }

  /// ETSI TS 102 366, E.1.3: the sync word, a bit stream ID of 11 to 16 (up to 10 is AC-3, which libmagic recognises),
  /// and the next frame after this one.
  private static func isEnhancedAC3(_ reader: ByteReader) -> Bool {
    guard reader.u16be(0) == 0x0B77, let word = reader.u16be(2), let version = reader.u8(5).map({ $0 >> 3 }) else {
      return false
    }
    let length = (Int(word & 0x7FF) + 1) * 2
    return (11...16).contains(version) && (length == reader.count || reader.u16be(length) == 0x0B77)
  }
}
