/// Standard MIDI files (MIDI 1.0 Detailed Specification): texts, names, copyright, lyrics and the data of sequencers become spaces of equal length.
/// Notes and times stay where they are; chunks that are no tracks are dropped.
enum MIDIFile {
  /// Nil for a file that is cut or malformed.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    guard file.has("MThd", at: 0), let length = file.u32be(4), length >= 6, length <= file.count - 8 else { return nil }
    var stripped = Array(file.prefix(8 + length))
    var at = 8 + length
    while at <= file.count - 8, let size = file.u32be(at + 4) {
      guard size <= file.count - at - 8 else { return nil }
      if file.has("MTrk", at: at) {
        var track = Array(file[at..<(at + 8 + size)])
        guard overwrite(&track) else { return nil }
        stripped += track
      }
      at += 8 + size
    }
    return stripped
  }

  /// Overwrites the texts of a track.
  private static func overwrite(_ track: inout [UInt8]) -> Bool {
    var at = 8
    var running: UInt8 = 0
    while at < track.count {
      guard number(track, &at) != nil, at < track.count else { return false }
      var status = track[at]
      if status >= 0x80 { at += 1 } else { status = running }
      switch status {
      case 0x80...0xBF, 0xE0...0xEF:
        running = status
        at += 2
      case 0xC0...0xDF:
        running = status
        at += 1
      case 0xF0, 0xF7:
        guard let length = number(track, &at) else { return false }
        at += length
      case 0xFF:
        guard at < track.count else { return false }
        let kind = track[at]
        at += 1
        guard let length = number(track, &at), length <= track.count - at else { return false }
        // 0x01 to 0x0F are texts, 0x7F belongs to sequencers.
        if (0x01...0x0F).contains(kind) || kind == 0x7F {
          for index in at..<(at + length) { track[index] = 0x20 }
        }
        at += length
        if kind == 0x2F { return at == track.count }
      default: return false
      }
    }
    return at == track.count
  }

  /// A number of seven bits per byte, at most four bytes; moves past it.
  private static func number(_ track: [UInt8], _ at: inout Int) -> Int? {
    var value = 0
    for _ in 0..<4 {
      guard at < track.count else { return nil }
      let byte = track[at]
      at += 1
      value = value << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
