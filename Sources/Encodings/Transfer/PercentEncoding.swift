/// Percent-encoding (RFC 3986 §2.1): `%XX` is an octet.
package enum PercentEncoding {
  /// Decodes a text. A `%` without two hexadecimal digits after it stays unchanged.
  package static func decoded(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = octets
    while let octet = rest.popFirst() {
      if octet == UInt8(ascii: "%"), rest.count >= 2, let high = hexadecimalValue(rest[rest.startIndex]),
        let low = hexadecimalValue(rest[rest.startIndex + 1])
      {
        result.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        result.append(octet)
      }
    }
    return result
  }
}

/// 0…15 for an ASCII hexadecimal digit, otherwise nil.
func hexadecimalValue(_ octet: UInt8) -> UInt8? {
  switch octet {
  case 0x30...0x39: octet - 0x30
  case 0x41...0x46: octet - 0x37
  case 0x61...0x66: octet - 0x57
  default: nil
  }
}
