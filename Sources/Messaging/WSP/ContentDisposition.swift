/// A Content-disposition-value (WAP-230-WSP §8.4.2.21): how a part is meant to be shown, with parameters.
public struct ContentDisposition: Hashable, Sendable {
  /// The way of showing.
  public enum Kind: Hashable, Sendable {
    /// Form data.
    case formData
    /// To be saved.
    case attachment
    /// To be shown where it stands.
    case inline
    /// In words.
    case token(TextString)
  }

  /// The way of showing.
  public var kind: Kind
  /// The parameters, `filename` among them.
  public var parameters: [WSPParameter]

  /// A disposition with its parameters.
  public init(_ kind: Kind, parameters: [WSPParameter] = []) {
    self.kind = kind
    self.parameters = parameters
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
  mutating func contentDisposition(_ disposition: ContentDisposition) throws(MMSEncodingError) {
    try counted { (writer) throws(MMSEncodingError) in
      switch disposition.kind {
      case .formData: writer.octet(0x80)
      case .attachment: writer.octet(0x81)
      case .inline: writer.octet(0x82)
      case .token(let word):
        guard !word.octets.isEmpty else { throw MMSEncodingError(.unfitName) }
        try writer.text(word)
      }
      try writer.parameters(disposition.parameters)
    }
  }
}
