/// One header of a part, Content-Type excepted.
public struct WSPHeader: Hashable, Sendable {
  /// How a header is named on the wire.
  public enum Name: Hashable, Sendable {
    /// By its assigned number (WAP-230-WSP table 39), without the high bit: 0x40 is Content-ID.
    case assigned(UInt8)
    /// By its name as text, if it has no assigned number or the sender used none.
    case token(TextString)
  }

  /// A header's value in one of the forms of WSP (WAP-230-WSP, 8.4.1.2).
  public enum Value: Hashable, Sendable {
    /// A text without a quotation mark before it, as in Content-Location.
    case text(TextString)
    /// A text after a quotation mark, as in Content-ID.
    case quoted(TextString)
    /// How a part is shown, with its file name: Content-Disposition.
    case disposition(ContentDisposition)
    /// Any other value, as octets.
    case opaque(ArraySlice<UInt8>)

    /// The text, quoted or not.
    var text: TextString? {
      switch self {
      case .text(let text), .quoted(let text): text
      case .disposition, .opaque: nil
      }
    }
  }

  /// An assigned number, or a text.
  public var name: Name
  /// The value; the encoding depends on ``name``.
  public var value: Value

  /// A header of a part.
  public init(name: Name, value: Value) {
    self.name = name
    self.value = value
  }

  /// Content-Location (0x0E): the name by which SMIL refers to a part.
  public static let contentLocation = Name.assigned(0x0E)
  /// Content-ID (0x40): the identifier in angle brackets to which `cid:` in SMIL refers.
  public static let contentID = Name.assigned(0x40)
  /// `Content-Disposition` as of WSP 1.1, which phones write.
  public static let contentDisposition = Name.assigned(0x2E)
  /// `Content-Disposition` as of WSP 1.4.
  public static let contentDisposition14 = Name.assigned(0x45)

  /// A header with a textual name, such as `Content-Transfer-Encoding`.
  public static func named(_ name: String, _ value: String) -> WSPHeader {
    WSPHeader(name: .token(TextString(name)), value: .text(TextString(value)))
  }
}

extension WSPReader {
  /// The headers of a part, to the end of the range. Skips octets that begin no header; an incomplete value ends with the range.
  mutating func headers() -> (headers: [WSPHeader], isWhole: Bool) {
    var headers: [WSPHeader] = []
    var isWhole = true
    while let first = peek() {
      if first < 0x20 || first == 0x7F {
        _ = octet()
        isWhole = false
        continue
      }
      guard headers.count < WSPHeader.limit, let header = header(first) else { return (headers, false) }
      headers.append(header)
    }
    return (headers, isWhole)
  }

  private mutating func header(_ first: UInt8) -> WSPHeader? {
    let name: WSPHeader.Name
    if first >= 0x80 {
      _ = octet()
      name = .assigned(first & 0x7F)
    } else {
      guard let word = text() else { return nil }
      name = .token(word)
    }
    guard !isAtEnd else { return nil }
    var value = self
    let isText = name == WSPHeader.contentLocation || name == WSPHeader.contentID
    let extent = isText ? textExtent() : valueExtent()
    let isCutOff = extent == nil
    if let extent { value = value.reader(of: extent) } else { move(to: end) }
    if name == WSPHeader.contentDisposition || name == WSPHeader.contentDisposition14,
      let disposition = value.contentDisposition()
    {
      return WSPHeader(name: name, value: .disposition(disposition))
    }
    // An incomplete text keeps its remaining octets; any other incomplete value is dropped.
    if isCutOff, value.peek() ?? 0 < 0x20 { return nil }
    switch value.peek() {
    case 0x22 where !isCutOff: return value.quotedString().map { WSPHeader(name: name, value: .quoted($0)) }
    case .some(0x80...) where isText: return value.textToEnd().map { WSPHeader(name: name, value: .text($0)) }
    case .some(0x20...0x7F): return value.textToEnd().map { WSPHeader(name: name, value: .text($0)) }
    default:
      let octets = value.rest()
      return WSPHeader(name: name, value: octets == [0] ? .text("") : .opaque(octets))
    }
  }
}

extension WSPWriter {
  mutating func headers(_ headers: [WSPHeader]) throws(MMSMessage.EncodingError) {
    guard headers.count <= WSPHeader.limit else { throw MMSMessage.EncodingError(.tooMany) }
    for header in headers { try self.header(header) }
  }

  private mutating func header(_ header: WSPHeader) throws(MMSMessage.EncodingError) {
    let start = octets.count
    switch header.name {
    case .assigned(let number): octet(0x80 | number)
    case .token(let word):
      raw(word.octets)
      octet(0)
    }
    switch header.value {
    case .text(let text): try self.text(text)
    case .quoted(let text): try quotedString(text)
    case .disposition(let disposition): try contentDisposition(disposition)
    case .opaque(let value): raw(value)
    }
    // A value that would be decoded as something else is refused.
    var reader = WSPReader(octets[start...])
    guard reader.headers() == ([header], true) else { throw MMSMessage.EncodingError(.wrongValue) }
  }
}

extension WSPHeader {
  /// Maximum number of headers of a part; further headers are skipped.
  static let limit = 200
}
