internal import Foundation

/// An error of S3, from the XML in its body.
struct ServiceError: Hashable, Sendable {
  /// `NoSuchKey`; nil if the body has none.
  let code: String?
  /// The region of the bucket, in errors about a wrong one.
  let region: String?

  init(_ body: [UInt8]) {
    let text = String(decoding: body, as: UTF8.self)
    code = Self.element("Code", of: text)
    region = Self.element("Region", of: text)
  }

  /// Whether the service refuses the keys or the signature, and so every request made with them.
  var refusesKeys: Bool { code.map(Self.keyCodes.contains) ?? false }

  private static let keyCodes: Set<String> = [
    "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "TokenRefreshRequired",
    "RequestTimeTooSkewed",
  ]

  /// Short texts of letters, digits, dots and dashes only: they become parts of messages and hosts.
  private static func element(_ name: String, of text: String) -> String? {
    guard let start = text.range(of: "<\(name)>"),
      let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
    else { return nil }
    let value = String(text[start.upperBound..<end.lowerBound])
    return isPlain(value) ? value : nil
  }

  static func isPlain(_ value: String) -> Bool {
    (1...64).contains(value.utf8.count)
      && value.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// The time of a `Date` header.
  static func time(_ text: String?) -> Date? {
    guard let text else { return nil }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}
