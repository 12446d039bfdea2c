/// A character encoding with its costs.
enum Coding {
  case gsm7(SeptetTable)
  case ucs2

  var alphabet: SMSSegmenter.Segments.Alphabet {
    switch self {
    case .gsm7: .gsm7
    case .ucs2: .ucs2
    }
  }

  /// Units of a character; 0 if it cannot be represented.
  func cost(_ scalar: UInt32) -> Int {
    switch self {
    case .gsm7(let table): table.cost(scalar)
    case .ucs2: scalar > 0xFFFF ? 2 : 1
    }
  }
}

/// Capacity of a segment in units, alone or as one of several.
struct Capacity {
  let single: Int
  let several: Int

  /// 140 bytes (3GPP TS 23.040, 9.2.3.24) minus a header: one byte for its length, 3 for each language, 5 or 6 for the
  /// segment number.
  init(
    alphabet: SMSSegmenter.Segments.Alphabet, tables: SMSSegmenter.Segments.NationalTables?,
    reference: SMSSegmenter.Reference
  ) {
    let languages = 3 * ((tables?.locking == nil ? 0 : 1) + (tables?.singleShift == nil ? 0 : 1))
    func units(header: Int) -> Int {
      let bytes = 140 - (header > 0 ? header + 1 : 0)
      return alphabet == .gsm7 ? bytes * 8 / 7 : bytes / 2
    }
    single = units(header: languages)
    several = units(header: languages + reference.rawValue)
  }
}

/// Fills segments with characters without dividing any.
struct Fill {
  /// Units of the whole text.
  private(set) var units = 0
  /// Number of segments, if there are several.
  private(set) var segments = 1
  /// Free units in the last segment.
  private(set) var free: Int

  /// Nil if a character cannot be represented.
  init?(of bytes: UnsafeBufferPointer<UInt8>, coding: Coding, capacity: Int) {
    free = capacity
    var place = 0
    while place < bytes.count {
      let cost = coding.cost(Self.scalar(at: &place, in: bytes))
      guard cost > 0 else { return nil }
      units &+= cost
      if cost > free {
        segments &+= 1
        free = capacity
      }
      free &-= cost
    }
  }

  /// Reads the scalar at a position and advances the position. The bytes are from a String and therefore valid UTF-8.
  private static func scalar(at place: inout Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let first = UInt32(bytes[place])
    guard first >= 0x80 else {
      place &+= 1
      return first
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    var value = first & (0xFF >> UInt32(length &+ 1))
    for next in place &+ 1..<min(place &+ length, bytes.count) { value = value << 6 | UInt32(bytes[next] & 0x3F) }
    place &+= length
    return value
  }
}
