/// Decodes bytes from text: base64 (RFC 4648) and `data:` URLs (RFC 2397).
enum EncodedBytes {
  /// Decodes base64, ignoring white space and padding; nil if there is any other character.
  static func base64(_ text: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      let value: UInt8
      switch byte {
      case 0x41...0x5A: value = byte - 0x41
      case 0x61...0x7A: value = byte - 0x61 + 26
      case 0x30...0x39: value = byte - 0x30 + 52
      // The URL-safe alphabet as well.
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="): continue
      case _ where byte.isASCIIWhitespace: continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count == 4 {
        result += [
          UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits),
        ]
        (bits, count) = (0, 0)
      }
    }
    // A single remaining character has too few bits for a byte.
    if count >= 2 { result.append(UInt8(truncatingIfNeeded: bits >> (count == 2 ? 4 : 10))) }
    if count == 3 { result.append(UInt8(truncatingIfNeeded: bits >> 2)) }
    return result
  }

  /// Whether a URL has the scheme `data:`. Surrounding spaces and line breaks are ignored, as in browsers.
  static func isData(_ address: some Sequence<UInt8>) -> Bool {
    address.lazy.filter { $0 > 0x20 }.startsIgnoringCase("data:")
  }

  /// The content of a `data:` URL; nil if it is malformed or another URL.
  static func data(_ address: some Collection<UInt8>) -> [UInt8]? {
    // A fragment is not part of the content.
    let address = address.prefix { $0 != UInt8(ascii: "#") }
    guard isData(address), let comma = address.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let head = address[..<comma].filter { $0 > 0x20 }.map(\.asciiLowercased)
    let content = percentDecoded(address[address.index(after: comma)...])
    return head.ends(with: "base64") ? base64(content) : content
  }

  private static func percentDecoded(_ text: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
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

extension [UInt8] {
  fileprivate func ends(with text: StaticString) -> Bool {
    suffix(text.utf8CodeUnitCount).startsIgnoringCase(text) && count >= text.utf8CodeUnitCount
  }
}
