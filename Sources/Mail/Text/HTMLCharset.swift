internal import Encodings

/// The charset that an HTML document declares for itself.
enum HTMLCharset {
  /// The value after `charset=` within the first 1,024 octets (HTML Standard §13.2.3.2).
  static func declared(in octets: [UInt8]) -> Charset? {
    let head = octets.prefix(1_024).map(ASCII.lower)
    let key = Array("charset=".utf8)
    var offset = 0
    while offset + key.count <= head.count {
      if head[offset..<offset + key.count].elementsEqual(key) {
        let value = head[(offset + key.count)...].drop { $0 == ASCII.quote || $0 == 0x27 }.prefix {
          $0 > 0x20 && $0 != ASCII.quote && $0 != 0x27 && $0 != 0x3E && $0 != 0x3B && $0 != 0x2F
        }
        return Charset(name: String(decoding: value, as: UTF8.self)).flatMap { $0.isWide ? nil : $0 }
      }
      offset += 1
    }
    return nil
  }
}
