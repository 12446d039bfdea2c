/// The compression of RTF bodies (MS-OXRTFCP).
enum CompressedRTF {
  private static let dictionary = Array(
    ("{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
      + "MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
      + "\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx").utf8)

  /// The RTF, cut at `maxOctets`. What is malformed ends it. It has at most 9 times as many octets as its compressed form.
  static func decoded(_ octets: [UInt8], maxOctets: Int = .max) -> [UInt8] {
    var result: [UInt8] = []
    _ = decode(octets, maxOctets) { result.append($0) }
    return result
  }

  /// The number of octets of the RTF, which is not kept.
  static func count(_ octets: [UInt8]) -> Int { decode(octets, .max) { _ in } }

  private static func decode(_ octets: [UInt8], _ maxOctets: Int, _ write: (UInt8) -> Void) -> Int {
    let header = 16
    guard octets.count > header else { return 0 }
    return Octets.with(octets) { octets in
      let size = min(Int(octets.number32(at: 4)), max(0, maxOctets))
      switch octets.number32(at: 8) {
      case 0x414C_454D:
        let end = header + min(size, octets.count - header)
        for offset in header..<end { write(octets[offset]) }
        return end - header
      case 0x7546_5A4C: return decompress(octets, from: header, size: size, write)
      default: return 0
      }
    }
  }

  /// Returns the number of octets.
  private static func decompress(_ octets: Octets, from start: Int, size: Int, _ write: (UInt8) -> Void) -> Int {
    var window = dictionary + [UInt8](repeating: 0x20, count: 4_096 - dictionary.count)
    var position = dictionary.count
    var count = 0
    func isOver(_ offset: Int) -> Bool { offset >= octets.count || count >= size }
    func add(_ octet: UInt8) {
      window[position] = octet
      position = (position + 1) & 0xFFF
      write(octet)
      count += 1
    }
    var offset = start
    while !isOver(offset) {
      let control = octets[offset]
      offset += 1
      for bit in 0..<8 where !isOver(offset) {
        if control & 1 << UInt8(bit) == 0 {
          add(octets[offset])
          offset += 1
          continue
        }
        // Twelve bits of a position, four of a length.
        let reference = Int(octets[offset]) << 8 | Int(octets[offset + 1])
        offset += 2
        var from = reference >> 4
        if from == position { return count }
        for _ in 0..<(reference & 0xF) + 2 where count < size {
          add(window[from])
          from = (from + 1) & 0xFFF
        }
      }
    }
    return count
  }
}
