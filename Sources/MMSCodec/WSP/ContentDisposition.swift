internal import Encodings

/// A Content-disposition-value (WAP-230-WSP §8.4.2.21): the intended presentation of a part, with parameters.
public struct ContentDisposition: Hashable, Sendable {
  /// How a part is shown.
  public enum Kind: Hashable, Sendable {
    /// `form-data` (0x80): a field of a form.
    case formData
    /// `attachment` (0x81): a file to be saved.
    case attachment
    /// `inline` (0x82): to be shown in place.
    case inline
    /// Any other disposition, by its name.
    case token(TextString)
  }

  /// Whether the part is shown with the message, or offered as a file.
  public var kind: Kind
  /// The parameters, `filename` among them.
  public var parameters: [WSPHeader.Parameter]

  /// A disposition; by default without a file name.
  public init(_ kind: Kind, parameters: [WSPHeader.Parameter] = []) {
    self.kind = kind
    self.parameters = parameters
  }
}

extension ContentDisposition {
  /// The file name: untrusted text, never a path to write to.
  public var fileName: String? {
    if let parameter = parameters.first(where: { $0.isOf(.filename) }) { return parameter.value.text?.text }
    guard case .token(let words) = kind else { return nil }
    return Self.fileName(inWords: words.text)
  }

  /// The file name of a value as mail and the web write it (RFC 2183, RFC 6266): `attachment; filename="a b.jpg"`. The form with a charset,
  /// `filename*=UTF-8''…`, says more than the other and is taken first. Names that are broken into pieces (RFC 2231 §3) are not put together.
  static func fileName(inWords text: String) -> String? {
    var plain: String?
    var rest = Array(text.utf8)[...]
    func drop(while condition: (UInt8) -> Bool) { rest = rest.drop(while: condition) }
    drop { $0 != UInt8(ascii: ";") }
    while rest.popFirst() != nil {
      drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
      rest = rest.dropFirst(name.count)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      let value = Self.value(&rest)
      drop { $0 != UInt8(ascii: ";") }
      switch String(decoding: name, as: UTF8.self).lowercased() {
      case "filename": plain = plain ?? String(decoding: value, as: UTF8.self)
      case "filename*": if let text = Self.extended(value) { return text }
      default: break
      }
    }
    return plain
  }

  /// A token, or a quoted string with its backslashes taken out.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    guard rest.first == UInt8(ascii: "\"") else {
      value = Array(rest.prefix { $0 != UInt8(ascii: ";") })
      rest = rest.dropFirst(value.count)
      while value.last == UInt8(ascii: " ") { value.removeLast() }
      return value
    }
    rest.removeFirst()
    while let octet = rest.popFirst(), octet != UInt8(ascii: "\"") {
      if octet == UInt8(ascii: "\\"), let next = rest.popFirst() { value.append(next) } else { value.append(octet) }
    }
    return value
  }

  /// `charset'language'percent-encoded` (RFC 8187); nil for a charset that is not known.
  private static func extended(_ value: [UInt8]) -> String? {
    let pieces = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3, let charset = Charset(name: String(decoding: pieces[0], as: UTF8.self)) else { return nil }
    return charset.text(PercentEncoding.decoded(pieces[2])[...])
  }
}

extension WSPReader {
  /// The disposition that fills this range: behind a length, or a single octet as some write it.
  func contentDisposition() -> ContentDisposition? {
    var reader = self
    if let first = peek(), first <= 31, reader.valueLength() == nil { return nil }
    let kind: ContentDisposition.Kind
    switch reader.peek() {
    case 0x80: kind = .formData
    case 0x81: kind = .attachment
    case 0x82: kind = .inline
    case .some(0x20...0x7F):
      guard let word = reader.textToEnd(), !word.octets.isEmpty else { return nil }
      return ContentDisposition(.token(word), parameters: reader.parameters(upTo: end))
    default: return nil
    }
    _ = reader.octet()
    return ContentDisposition(kind, parameters: reader.parameters(upTo: end))
  }
}

extension WSPWriter {
  mutating func contentDisposition(_ disposition: ContentDisposition) throws(MMSMessage.EncodingError) {
    try counted { (writer) throws(MMSMessage.EncodingError) in
      switch disposition.kind {
      case .formData: writer.octet(0x80)
      case .attachment: writer.octet(0x81)
      case .inline: writer.octet(0x82)
      case .token(let word):
        guard !word.octets.isEmpty else { throw MMSMessage.EncodingError(.unfitName) }
        try writer.text(word)
      }
      try writer.parameters(disposition.parameters)
    }
  }
}
