internal import Encodings

extension WSPReader {
  /// Encoded-string-value: a Text-string, or Value-length Char-set Text-string.
  mutating func encodedString() -> EncodedString? {
    guard let first = peek() else { return nil }
    guard first <= 31 else { return text().map { EncodedString(octets: $0.octets, charset: nil) } }
    var inside = self
    guard let length = inside.valueLength() else { return nil }
    let end = inside.position + length
    inside = inside.reader(of: inside.position..<end)
    var charset: Charset?
    // A text directly after the length: the sender has omitted the charset.
    if let next = inside.peek(), next <= 31 || next >= 0x80 {
      guard let number = inside.integer() else { return nil }
      charset = Charset(mib: number)
    }
    let text = inside.rest()
    move(to: end)
    return EncodedString(octets: charset?.isWide == true ? text.wideText : text.narrowText, charset: charset)
  }
}

extension WSPWriter {
  /// Encoded-string-value.
  mutating func encodedString(_ string: EncodedString) throws(MMSMessage.EncodingError) {
    guard let charset = string.charset else { return try text(TextString(octets: string.octets)) }
    try counted { (writer) throws(MMSMessage.EncodingError) in
      try writer.integer(charset.mib)
      guard charset.isWide else { return try writer.text(TextString(octets: string.octets)) }
      guard string.octets.count.isMultiple(of: 2) else { throw MMSMessage.EncodingError(.halfCharacter) }
      // A leading U+7FFE or U+7FFF would be decoded as a quoted byte order mark.
      if string.octets.isQuotedByteOrderMark { writer.octet(0x7F) }
      writer.raw(string.octets)
      writer.octet(0)
      writer.octet(0)
    }
  }
}

extension ArraySlice<UInt8> {
  /// The text of an 8-bit charset: without quote, up to the first NUL.
  fileprivate var narrowText: ArraySlice<UInt8> {
    let text = first == 0x7F ? dropFirst() : self
    return text.prefix { $0 != 0 }
  }

  /// The text of a charset with 16-bit units, which may contain NUL octets: only the length determines its end.
  ///
  /// Some senders terminate it with one NUL, some with two, and some add the quote 0x7F in front. Whether the number of octets is odd shows which,
  /// because units have two octets.
  fileprivate var wideText: ArraySlice<UInt8> {
    var text = self
    let endsWide = count >= 2 && suffix(2).allSatisfy { $0 == 0 }
    if isQuotedByteOrderMark || (first == 0x7F && !count.isMultiple(of: 2) && endsWide) { text.removeFirst() }
    if text.count.isMultiple(of: 2) {
      if endsWide, text.count >= 2 { text.removeLast(2) }
    } else if text.last != nil {
      // The single NUL, or half a code unit.
      text.removeLast()
    }
    return text
  }

  fileprivate var isQuotedByteOrderMark: Bool {
    count >= 3 && first == 0x7F && (dropFirst().prefix(2) == [0xFE, 0xFF] || dropFirst().prefix(2) == [0xFF, 0xFE])
  }
}
