/// Percent-encoding as the signature of S3 requires it: everything but A–Z, a–z, 0–9, `-`, `.`, `_` and `~` is encoded, in upper case.
enum PercentEncoding {
  /// Encodes bytes.
  /// - Parameter keepsSlash: Whether `/` is not encoded, as in a path.
  static func encoded(_ bytes: some Sequence<UInt8>, keepsSlash: Bool = false) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) || keepsSlash && byte == UInt8(ascii: "/") {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hex(byte >> 4), hex(byte & 15)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func encoded(_ text: String, keepsSlash: Bool = false) -> String {
    encoded(text.utf8, keepsSlash: keepsSlash)
  }

  /// The bytes that an encoded text means; an invalid sequence is kept as it is.
  static func decoded(_ text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func hex(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
