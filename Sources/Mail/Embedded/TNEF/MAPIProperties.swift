/// A list of MAPI properties inside a stream (MS-OXTNEF 2.1.3.4). Only those that are named here are kept.
struct MAPIProperties {
  enum Name: UInt16 {
    case subject = 0x0037
    case body = 0x1000
    case rtf = 0x1009
    case html = 0x1013
    case displayName = 0x3001
    case attachData = 0x3701
    case attachName = 0x3704
    case attachLongName = 0x3707
    case attachType = 0x370E
    case attachContentID = 0x3712
    case internetCodePage = 0x3FDE
  }

  struct Value {
    /// Of the content in the stream.
    let range: Range<Int>
    let type: UInt16
    var isUTF16: Bool { type == 0x001F }
    var isObject: Bool { type == 0x000D }
  }

  private var values: [Name: Value] = [:]

  subscript(_ name: Name) -> Value? { values[name] }

  /// Reads a list. A length that does not fit, or an unknown type, ends it.
  init(_ octets: Octets, _ range: Range<Int>) {
    let end = range.upperBound
    var left = octets.number32(at: range.lowerBound)
    var offset = range.lowerBound + 4
    while left > 0, offset + 4 <= end {
      left -= 1
      let type = octets.number16(at: offset)
      let id = octets.number16(at: offset + 2)
      offset += 4
      if id >= 0x8000 {
        // A named property: an identifier of its set, then a number or a name.
        let isName = octets.number32(at: offset + 16) == 1
        offset += isName ? 24 + Self.padded(octets.number32(at: offset + 20)) : 24
      }
      guard let first = Self.skipValues(octets, type, &offset, end: end) else { return }
      if let name = Name(rawValue: id), values[name] == nil { values[name] = Value(range: first, type: type) }
    }
  }

  /// Moves after the values of a property, and returns the range of the first; nil if they do not fit.
  private static func skipValues(_ octets: Octets, _ type: UInt16, _ offset: inout Int, end: Int) -> Range<Int>? {
    let base = type & 0x0FFF
    let isVariable = [0x000D, 0x001E, 0x001F, 0x0102].contains(base)
    let isCounted = isVariable || type & 0x1000 != 0
    var count = isCounted ? octets.number32(at: offset) : 1
    if isCounted { offset += 4 }
    var first: Range<Int>?
    while count > 0 {
      count -= 1
      var size = Self.size(base)
      if isVariable {
        size = Int(octets.number32(at: offset))
        offset += 4
      }
      guard size > 0 || isVariable, offset <= end, size <= end - offset else { return nil }
      if first == nil { first = offset..<offset + size }
      offset += Self.padded(UInt32(size))
    }
    // No value at all is an empty one.
    return first ?? min(offset, end)..<min(offset, end)
  }

  /// The size of a value of fixed length; 0 for an unknown type (MS-OXCDATA 2.11.1).
  private static func size(_ type: UInt16) -> Int {
    switch type {
    case 0x0002, 0x000B: 2
    case 0x0003, 0x0004, 0x000A: 4
    case 0x0005, 0x0006, 0x0007, 0x0014, 0x0040: 8
    case 0x0048: 16
    default: 0
    }
  }

  private static func padded(_ size: UInt32) -> Int { (Int(size) + 3) & ~3 }
}
