internal import HTTPTypes

/// The id of a request, in its answer and in the log.
enum RequestID {
  /// `X-Request-ID`
  static let name = HTTPField.Name("X-Request-ID")

  /// That of the client if it is acceptable, otherwise a new one.
  static func of(_ fields: HTTPFields) -> String {
    name.flatMap { fields[$0] }.flatMap { isAcceptable($0) ? $0 : nil } ?? random()
  }

  /// Ids of others go into our log and into an answer: letters, digits, `-`, `_` and `.`, at most 128.
  static func isAcceptable(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private static func random() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
