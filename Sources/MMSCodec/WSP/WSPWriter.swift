/// Writes the primitives of WAP-230-WSP §8.4.2.
struct WSPWriter {
  var octets: [UInt8] = []

  mutating func octet(_ value: UInt8) { octets.append(value) }

  mutating func raw(_ value: ArraySlice<UInt8>) { octets.append(contentsOf: value) }

  /// Uintvar: 7 bits per octet, the shortest form.
  mutating func uintvar(_ value: Int) throws(MMSMessage.EncodingError) {
    guard let value = UInt32(exactly: value) else { throw MMSMessage.EncodingError(.numberOutOfRange) }
    var shift: UInt32 = 28
    while shift > 0, value >> shift == 0 { shift -= 7 }
    while shift > 0 {
      octets.append(UInt8(truncatingIfNeeded: value >> shift) | 0x80)
      shift -= 7
    }
    octets.append(UInt8(truncatingIfNeeded: value) & 0x7F)
  }

  /// A value after its Value-length.
  mutating func counted(_ write: (inout WSPWriter) throws(MMSMessage.EncodingError) -> Void) throws(MMSMessage
    .EncodingError)
  {
    var value = WSPWriter()
    try write(&value)
    if value.octets.count <= 30 {
      octets.append(UInt8(truncatingIfNeeded: value.octets.count))
    } else {
      octets.append(31)
      try uintvar(value.octets.count)
    }
    octets.append(contentsOf: value.octets)
  }

  /// Long-integer: the shortest form, at least one octet.
  mutating func longInteger(_ value: Int) throws(MMSMessage.EncodingError) {
    guard value >= 0 else { throw MMSMessage.EncodingError(.numberOutOfRange) }
    let count = max(1, (Int.bitWidth - value.leadingZeroBitCount + 7) / 8)
    octets.append(UInt8(truncatingIfNeeded: count))
    for index in stride(from: count - 1, through: 0, by: -1) {
      octets.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
    }
  }

  /// Integer-value: a Short-integer up to 127, else a Long-integer.
  mutating func integer(_ value: Int) throws(MMSMessage.EncodingError) {
    if (0...127).contains(value) {
      octets.append(0x80 | UInt8(truncatingIfNeeded: value))
    } else {
      try longInteger(value)
    }
  }

  /// Text-string. The quote 0x7F precedes a text that could be decoded as something else: one that begins with an octet from 0x7F up, as the
  /// specification states, with a control octet, which could be a length, or with 0x22, which could be a Quoted-string.
  mutating func text(_ text: TextString) throws(MMSMessage.EncodingError) {
    guard !text.octets.contains(0) else { throw MMSMessage.EncodingError(.nulInText) }
    if let first = text.octets.first, first < 0x20 || first == 0x22 || first >= 0x7F { octets.append(0x7F) }
    octets.append(contentsOf: text.octets)
    octets.append(0)
  }

  /// Quoted-string. A closing quote is added only to a text that itself ends in one, so that a reader that drops one drops the right one.
  mutating func quotedString(_ text: TextString) throws(MMSMessage.EncodingError) {
    guard !text.octets.contains(0) else { throw MMSMessage.EncodingError(.nulInText) }
    octets.append(0x22)
    octets.append(contentsOf: text.octets)
    if text.octets.last == 0x22 { octets.append(0x22) }
    octets.append(0)
  }
}
