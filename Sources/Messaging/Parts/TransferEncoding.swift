/// How a part's body is written for a transport of text (RFC 2045 §6). WSP has no need of it; gateways from mail use it all the same.
enum TransferEncoding {
  case base64
  case quotedPrintable

  /// The encoding of that name; nil for 7bit, 8bit, binary and names nobody knows, whose bodies are as they are.
  init?(name: TextString) {
    if name.isWord("base64") {
      self = .base64
    } else if name.isWord("quoted-printable") {
      self = .quotedPrintable
    } else {
      return nil
    }
  }

  /// The body without its encoding.
  func decoded(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    switch self {
    case .base64: Self.base64(octets)
    case .quotedPrintable: Self.quotedPrintable(octets)
    }
  }

  /// Whatever is not of the alphabet is passed over, as RFC 2045 asks; so is a stray last character, which holds no whole octet.
  static func base64(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    var count = 0
    for octet in octets {
      let value = base64Values[Int(octet)]
      if value > 63 {
        if octet == UInt8(ascii: "=") { break }
        continue
      }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count == 4 {
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
        count = 0
      }
    }
    if count >= 2 { result.append(UInt8(truncatingIfNeeded: bits >> (count == 2 ? 4 : 10))) }
    if count == 3 { result.append(UInt8(truncatingIfNeeded: bits >> 2)) }
    return result
  }

  /// `=XX` is an octet, `=` at the end of a line joins it with the next. An `=` with anything else behind it stands for itself.
  static func quotedPrintable(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var index = octets.startIndex
    while index < octets.endIndex {
      let octet = octets[index]
      index += 1
      guard octet == UInt8(ascii: "=") else {
        result.append(octet)
        continue
      }
      let next = octets[index...].prefix(2)
      if next.count == 2, let high = hexValue(next[index]), let low = hexValue(next[index + 1]) {
        result.append(high << 4 | low)
        index += 2
      } else if next.elementsEqual([0x0D, 0x0A]) {
        index += 2
      } else if next.first == 0x0A || next.first == 0x0D {
        index += 1
      } else if !next.isEmpty {
        result.append(octet)
      }
    }
    return result
  }

  /// 0…63 for a character of the alphabet, else 255.
  private static let base64Values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, octet) in alphabet.utf8.enumerated() { values[Int(octet)] = UInt8(truncatingIfNeeded: value) }
    return values
  }()

  /// Octets of which some are written `%XX` (RFC 3986 §2.1). A `%` with anything else behind it stands for itself.
  static func withoutPercent(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = octets
    while let octet = rest.popFirst() {
      if octet == UInt8(ascii: "%"), rest.count >= 2, let high = hexValue(rest[rest.startIndex]),
        let low = hexValue(rest[rest.startIndex + 1])
      {
        result.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        result.append(octet)
      }
    }
    return result
  }

  static func hexValue(_ octet: UInt8) -> UInt8? {
    switch octet {
    case 0x30...0x39: octet - 0x30
    case 0x41...0x46: octet - 0x37
    case 0x61...0x66: octet - 0x57
    default: nil
    }
  }
}
