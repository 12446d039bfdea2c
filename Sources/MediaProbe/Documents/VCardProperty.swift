/// One unfolded content line of a vCard: `group.NAME;PARAMETER=…:value`.
struct VCardProperty {
  /// The name in upper case, without its group.
  let name: String
  /// The parameters in upper case, without quotation marks and white space, which tolerant readers skip.
  private let parameters: [String]
  /// The raw value.
  var value: ArraySlice<UInt8>

  init?(_ line: [UInt8]) {
    // A quoted parameter may contain a colon.
    var isQuoted = false
    let end = line.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ":") && !isQuoted
    }
    guard let end else { return nil }
    let parts = line[..<end].split(separator: UInt8(ascii: ";"))
    guard let name = parts.first?.split(separator: UInt8(ascii: ".")).last, name.count <= 32 else { return nil }
    self.name = String(decoding: name, as: UTF8.self).uppercased()
    parameters = parts.dropFirst().map { part in
      String(decoding: part.prefix(64).filter { ![0x22, 0x20, 0x09].contains($0) }, as: UTF8.self).uppercased()
    }
    value = line[(end + 1)...]
  }

  /// 2.1 writes `ENCODING=BASE64` or just `BASE64`, 3.0 `ENCODING=b`.
  var isBase64: Bool { parameters.contains { ["ENCODING=B", "ENCODING=BASE64", "BASE64"].contains($0) } }
  /// Version 2.1 only, with or without the parameter name.
  var isQuotedPrintable: Bool {
    parameters.contains { ["ENCODING=QUOTED-PRINTABLE", "QUOTED-PRINTABLE"].contains($0) }
  }
  var isAddress: Bool { parameters.contains { ["VALUE=URI", "VALUE=URL"].contains($0) } }

  /// The value as text.
  var text: String { decoded(value) }

  /// The components of a structured value, as text.
  var parts: [String] {
    var parts: [ArraySlice<UInt8>] = []
    var start = value.startIndex
    var isEscaped = false
    for index in value.indices {
      if value[index] == UInt8(ascii: ";"), !isEscaped {
        parts.append(value[start..<index])
        start = index + 1
      }
      isEscaped = value[index] == UInt8(ascii: "\\") && !isEscaped
    }
    return (parts + [value[start...]]).map(decoded)
  }

  private func decoded(_ value: ArraySlice<UInt8>) -> String {
    let bytes = isQuotedPrintable ? Self.quotedPrintable(value) : Self.unescaped(value)
    let charset = parameters.first { $0.hasPrefix("CHARSET=") }?.dropFirst(8)
    return Self.text(bytes, isLatin: charset.map { ["ISO-8859-1", "WINDOWS-1252"].contains($0) } ?? false)
  }

  /// Decodes text whose charset may be missing.
  ///
  /// Old phones declare Latin-1, or write it without a declaration. As in browsers, it is decoded as Windows-1252.
  /// Other old charsets are not supported: text that is not UTF-8 is decoded as Latin-1.
  private static func text(_ bytes: [UInt8], isLatin: Bool) -> String {
    if !isLatin, let text = String(validating: bytes, as: UTF8.self) { return text }
    let scalars = bytes.map { byte in
      (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Bytes 80 to 9F (WHATWG Encoding, index windows-1252); the five undefined ones map to replacement characters.
  private static let windows1252 = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  /// Removes the escapes of RFC 6350, 3.4: a backslash before comma, semicolon, backslash or n.
  private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in value {
      if isEscaped {
        result.append(byte.asciiLowercased == UInt8(ascii: "n") ? 0x0A : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Decodes quoted-printable (RFC 2045, 6.7).
  private static func quotedPrintable(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "="), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      {
        result.append(code)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
