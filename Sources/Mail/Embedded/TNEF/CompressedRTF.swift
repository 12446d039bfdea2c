/// The compression of RTF bodies (MS-OXRTFCP).
enum CompressedRTF {
  private static let dictionary = Array(
    ("{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
      + "MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
      + "\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx").utf8)

  /// The RTF. What is malformed ends it. It has at most 9 times as many octets as its compressed form.
  static func decoded(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    let header = 16
    guard octets.count > header else { return [] }
    let memory = Array(octets)
    return memory.withUnsafeBufferPointer { memory in
      let octets = Octets(memory)
      let size = Int(octets.number32(at: 4))
      switch octets.number32(at: 8) {
      case 0x414C_454D: return Array(octets[header..<header + min(size, memory.count - header)])
      case 0x7546_5A4C: return decompressed(octets, from: header, size: size)
      default: return []
      }
    }
  }

  private static func decompressed(_ octets: Octets, from start: Int, size: Int) -> [UInt8] {
    var window = dictionary + [UInt8](repeating: 0x20, count: 4_096 - dictionary.count)
    var position = dictionary.count
    var result: [UInt8] = []
    func isOver(_ offset: Int) -> Bool { offset >= octets.count || result.count >= size }
    var offset = start
    while !isOver(offset) {
      let control = octets[offset]
      offset += 1
      for bit in 0..<8 where !isOver(offset) {
        if control & 1 << UInt8(bit) == 0 {
          window[position] = octets[offset]
          result.append(octets[offset])
          position = (position + 1) & 0xFFF
          offset += 1
          continue
        }
        // Twelve bits of a position, four of a length.
        let reference = Int(octets[offset]) << 8 | Int(octets[offset + 1])
        offset += 2
        var from = reference >> 4
        if from == position { return result }
        for _ in 0..<(reference & 0xF) + 2 where result.count < size {
          let octet = window[from]
          window[position] = octet
          result.append(octet)
          from = (from + 1) & 0xFFF
          position = (position + 1) & 0xFFF
        }
      }
    }
    return result
  }
}
