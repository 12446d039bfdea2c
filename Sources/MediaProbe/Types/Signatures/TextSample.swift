internal import MediaModel

/// The start of a text file, as UTF-8.
struct TextSample {
  /// Maximum bytes to read.
  static let length = 65_536
  /// The text in UTF-8 without a byte order mark. Bytes in a legacy encoding are unchanged.
  let bytes: [UInt8]
  /// Whether it is certainly Unicode. Otherwise it may be text in a legacy encoding, or binary data without control
  /// characters.
  let isUnicode: Bool
  /// Whether the sample is the whole file.
  let isWhole: Bool

  /// Nil if the file is not text.
  init?(_ reader: ByteReader) {
    var bytes = reader.bytes(0, Self.length)
    isWhole = bytes.count == reader.count
    guard !bytes.isEmpty else { return nil }
    bytes = Self.utf8(bytes)
    // CP/M and DOS end texts with Control-Z.
    while isWhole, bytes.last == 0x1A { bytes.removeLast() }
    guard !bytes.contains(where: Self.isForbidden) else { return nil }
    isUnicode = Self.isUTF8(bytes, isWhole: isWhole)
    self.bytes = bytes
  }

  /// The text without its byte order mark. UTF-16 is recognised by the mark and converted.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    utf16(bytes) ?? (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
  }

  /// Whether a byte is a control character that no text has: all except bell, backspace, tab, line feed, vertical tab,
  /// form feed, return and escape.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 ? !(0x07...0x0D).contains(byte) && byte != 0x1B : byte == 0x7F
  }

  /// Converts UTF-16 with a byte order mark.
  private static func utf16(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 2 else { return nil }
    let bigEndian: Bool
    switch (bytes[0], bytes[1]) {
    case (0xFE, 0xFF): bigEndian = true
    case (0xFF, 0xFE): bigEndian = false
    default: return nil
    }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
      let (high, low) = bigEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
      return UInt16(high) << 8 | UInt16(low)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func isUTF8(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    if String(validating: bytes, as: UTF8.self) != nil { return true }
    // The sample may end inside a character.
    guard !isWhole else { return false }
    return (1...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }
}

extension Sequence<UInt8> {
  /// Whether it begins with the ASCII text, ignoring case.
  func startsIgnoringCase(_ text: StaticString) -> Bool {
    var iterator = makeIterator()
    for index in 0..<text.utf8CodeUnitCount {
      guard let byte = iterator.next(), byte.asciiLowercased == text.utf8Start[index].asciiLowercased else {
        return false
      }
    }
    return true
  }
}

extension UInt8 {
  /// The byte in lower case if it is an ASCII letter.
  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
  /// Space, tab, line feed, vertical tab, form feed or return.
  var isASCIIWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
