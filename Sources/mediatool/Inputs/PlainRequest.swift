/// A request whose values are plain, as nearly all are: read in one pass, without Foundation's decoder, which takes several times as long.
struct PlainRequest {
  private(set) var id: String?
  private(set) var source: String?
  private(set) var name: String?
  private(set) var etag: String?
  private(set) var bytes: Int?

  /// Reads an object whose keys are those of a request, at most once each, and whose values are strings without escapes, integers and literals.
  ///
  /// Everything else is nil, also what is wrong: the decoder reads it, and says why. What is read here has the same values there.
  init?(json: [UInt8]) {
    var text = Reader(rest: json[...])
    guard text.take("{") else { return nil }
    var seen: Set<String> = []
    repeat {
      guard let key = text.string(), seen.insert(key).inserted, text.take(":") else { return nil }
      switch key {
      case "id":
        guard let value = text.scalar() else { return nil }
        id = value
      case "source": source = text.string()
      case "name": name = text.string()
      case "etag": etag = text.string()
      case "bytes": bytes = text.integer().flatMap(Int.init)
      default: return nil
      }
      // A value of another type, and one with escapes.
      guard key == "id" || text.hasRead else { return nil }
    } while text.take(",")
    guard text.take("}"), text.isAtEnd, source != nil else { return nil }
  }

  /// The bytes that are not read yet.
  private struct Reader {
    var rest: ArraySlice<UInt8>
    /// Whether the last value was read.
    private(set) var hasRead = false

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    var isAtEnd: Bool {
      mutating get {
        skipSpace()
        return rest.isEmpty
      }
    }

    private mutating func skipSpace() {
      while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { rest.removeFirst() }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// A string without escapes and control characters, in valid UTF-8.
    mutating func string() -> String? {
      hasRead = false
      guard take("\"") else { return nil }
      guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }),
        rest[end] == UInt8(ascii: "\""), let value = String(validating: rest[..<end], as: UTF8.self)
      else { return nil }
      rest = rest[(end + 1)...]
      hasRead = true
      return value
    }

    /// The digits of an integer that every 64-bit number type holds exactly.
    mutating func integer() -> String? {
      hasRead = false
      skipSpace()
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard 1...15 ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
      rest = rest[digits.endIndex...]
      hasRead = true
      return String(decoding: digits, as: UTF8.self)
    }

    /// A string, an integer or a literal, as it is written.
    mutating func scalar() -> String? {
      skipSpace()
      let start = rest
      for literal in ["null", "true", "false"] where rest.starts(with: literal.utf8) {
        rest = rest.dropFirst(literal.utf8.count)
        return literal
      }
      guard rest.first == UInt8(ascii: "\"") ? string() != nil : integer() != nil else { return nil }
      return String(decoding: start[..<rest.startIndex], as: UTF8.self)
    }
  }
}
