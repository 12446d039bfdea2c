/// The transfer encodings for text transports (RFC 2045 §6).
public enum TransferEncoding: String, Hashable, Codable, Sendable {
  /// Four characters for three octets.
  case base64
  /// `=XX` for an octet that is not printable ASCII.
  case quotedPrintable = "quoted-printable"

  /// The encoding with this name, in any case; nil for 7bit, 8bit, binary and unknown names, whose bodies are not encoded.
  public init?(name: String) {
    switch name.lowercased() {
    case "base64": self = .base64
    case "quoted-printable": self = .quotedPrintable
    default: return nil
    }
  }

  /// Decodes octets. Never fails: invalid characters are skipped in base64, and kept in quoted-printable.
  public func decoded(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    switch self {
    case .base64: Self.base64(octets)
    case .quotedPrintable: Self.quotedPrintable(octets)
    }
  }

  /// Skips characters outside the alphabet, as RFC 2045 requires, and a single last character, which is not a whole octet.
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

  /// `=XX` is an octet, and `=` at the end of a line joins it with the next. Any other `=` is kept.
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
      if next.count == 2, let high = hexadecimalValue(next[index]), let low = hexadecimalValue(next[index + 1]) {
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

  /// 0…63 for a character of the alphabet, otherwise 255.
  private static let base64Values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, octet) in alphabet.utf8.enumerated() { values[Int(octet)] = UInt8(truncatingIfNeeded: value) }
    return values
  }()
}
