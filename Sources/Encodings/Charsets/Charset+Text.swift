extension Charset {
  /// The text of octets in this charset, without a leading byte order mark.
  ///
  /// Invalid octets become U+FFFD. An incomplete character at the end is dropped, because gateways truncate subjects by octets.
  public func text(_ octets: ArraySlice<UInt8>) -> String {
    let text =
      switch self {
      case .utf8: String(decoding: octets.withoutCutOffCharacter, as: UTF8.self)
      case .latin1: Self.latin1Text(octets)
      case .ucs2, .utf16BE, .utf16LE, .utf16: utf16Text(octets)
      default:
        if let converterName, let text = CharsetConverter.text(octets, from: converterName) {
          text
        } else {
          Self.undeclaredText(octets)
        }
      }
    return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// The text of octets without a declared charset, or declared as US-ASCII wrongly: UTF-8 if valid, otherwise ISO-8859-1.
  ///
  /// A single octet above 0x7F at the end of ASCII is an ISO-8859-1 letter (`café`) rather than the first octet of an incomplete UTF-8 character.
  package static func undeclaredText(_ octets: ArraySlice<UInt8>) -> String {
    let whole = octets.withoutCutOffCharacter
    if whole.count == octets.count - 1, whole.allSatisfy({ $0 < 0x80 }) { return latin1Text(octets) }
    return String(validating: whole, as: UTF8.self) ?? latin1Text(octets)
  }

  private static func latin1Text(_ octets: ArraySlice<UInt8>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: octets.lazy.map { Unicode.Scalar($0) })
    return text
  }

  /// UTF-16; a byte order mark decides whatever the charset's name says, else the charset itself does.
  private func utf16Text(_ octets: ArraySlice<UInt8>) -> String {
    let littleEndian =
      switch octets.prefix(2) {
      case [0xFF, 0xFE]: true
      case [0xFE, 0xFF]: false
      default: self == .utf16LE
      }
    let start = octets.startIndex
    let units = (0..<octets.count / 2).lazy.map { index in
      let (first, second) = (UInt16(octets[start + 2 * index]), UInt16(octets[start + 2 * index + 1]))
      return littleEndian ? second << 8 | first : first << 8 | second
    }
    return String(decoding: units, as: UTF16.self)
  }
}

extension ArraySlice<UInt8> {
  /// The octets without an incomplete UTF-8 character at the end.
  var withoutCutOffCharacter: ArraySlice<UInt8> {
    // The lead octet is at most three octets before the end.
    for back in 1...3 {
      guard count >= back else { return self }
      let octet = self[endIndex - back]
      if octet & 0xC0 == 0x80 { continue }
      let length =
        switch octet {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      return length > back ? dropLast(back) : self
    }
    return self
  }
}
