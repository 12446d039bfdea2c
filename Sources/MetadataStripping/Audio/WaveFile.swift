/// WAV (Microsoft and IBM, Multimedia Programming Interface 1.0): keeps format, sample count and audio data, and drops every other chunk, such
/// as INFO lists, bext, iXML, ID3 and XMP.
enum WaveFile {
  /// Coded audio without tags of its own: PCM, ADPCM, float, A-law, µ-law, IMA ADPCM, GSM, extensible.
  private static let formats: Set<Int> = [0x1, 0x2, 0x3, 0x6, 0x7, 0x11, 0x31, 0xFFFE]

  /// Nil for RF64 and other relatives, for audio that may have tags inside, and for a file that ends early.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    guard file.has("RIFF", at: 0), file.has("WAVE", at: 8) else { return nil }
    var stripped = Array(file.prefix(12))
    stripped.reserveCapacity(file.count)
    var at = 12
    var hasFormat = false
    var hasData = false
    while at <= file.count - 8, let size = file.u32le(at + 4) {
      let isData = file.has("data", at: at)
      // Bytes after the audio that are no chunk are dropped as one.
      guard size <= file.count - at - 8 else {
        if hasData { break }
        return nil
      }
      let end = at + 8 + size
      if file.has("fmt ", at: at) {
        guard !hasFormat, !hasData, size >= 16, formats.contains(Int(file[at + 8]) | Int(file[at + 9]) << 8) else {
          return nil
        }
        hasFormat = true
      }
      if isData {
        guard hasFormat, !hasData else { return nil }
        hasData = true
      }
      if isData || file.has("fmt ", at: at) || file.has("fact", at: at) {
        stripped += file[at..<end]
        if size % 2 == 1 { stripped.append(0) }
      }
      at = end + size % 2
    }
    guard hasData else { return nil }
    let size = stripped.count - 8
    for index in 0..<4 { stripped[4 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
    return stripped
  }
}
