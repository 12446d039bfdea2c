extension WSPReader {
  /// The value that fills this range. A value that does not have the form of its field is kept as octets.
  func fieldValue(of name: MMSField.Name, in type: MMSMessage.MessageType) -> MMSField.Value {
    var reader = self
    let value: MMSField.Value? =
      switch name {
      case .application: reader.fieldText().map(MMSField.Value.text)
      case .known(let name): name.syntax.flatMap { reader.value($0, in: type) }
      }
    // The value must fill the range; otherwise a reader has stopped at an unexpected octet.
    return value ?? .opaque(octets[position..<end])
  }

  /// A Text-string, which may be empty and may lack the quote octet; nil for a length.
  mutating func fieldText() -> TextString? {
    guard let first = peek(), first >= 0x20 || first == 0 else { return nil }
    return text()
  }

  private mutating func value(_ syntax: MMSFieldSyntax, in type: MMSMessage.MessageType) -> MMSField.Value? {
    switch syntax {
    case .token: token().map(MMSField.Value.token)
    case .tokenOrText: token().map(MMSField.Value.token) ?? fieldText().map(MMSField.Value.text)
    case .integer, .longInteger: integer().map(MMSField.Value.integer)
    case .text: fieldText().map(MMSField.Value.text)
    case .encodedString: encodedString().map(MMSField.Value.encodedString)
    case .time: time()
    case .sender: sender()
    case .keywords:
      inside()?.read { reader in
        guard let token = reader.token(), let string = reader.encodedString() else { return nil }
        return .keywords(token, string)
      }
    case .amount:
      inside()?.read { reader in
        guard let token = reader.token(), let number = reader.integer() else { return nil }
        return .amount(token, number)
      }
    case .element:
      inside()?.read { reader in
        guard let reference = reader.text() else { return nil }
        return .element(reference, reader.parameters(upTo: reader.end))
      }
    case .fields: inside()?.read { reader in reader.nestedFields(in: type).map(MMSField.Value.fields) }
    case .counted(let inner): counted(inner)
    case .countable(.encodedString):
      type.countsStatuses && (peek() ?? 0x20) <= 31
        ? counted(.encodedString) : encodedString().map(MMSField.Value.encodedString)
    case .countable(let inner): (peek() ?? 0) <= 31 && count > 1 ? counted(inner) : single(inner)
    case .contentType: nil
    }
  }

  /// A reader for the content after a Value-length.
  private func inside() -> WSPReader? {
    var reader = self
    guard let length = reader.valueLength() else { return nil }
    return reader.reader(of: reader.position..<reader.position + length)
  }

  private func read(_ body: (inout WSPReader) -> MMSField.Value?) -> MMSField.Value? {
    var reader = self
    return body(&reader)
  }

  private mutating func single(_ syntax: MMSFieldSyntax.Counted) -> MMSField.Value? {
    switch syntax {
    case .token: token().map(MMSField.Value.token)
    case .text: fieldText().map(MMSField.Value.text)
    case .longInteger: integer().map(MMSField.Value.integer)
    case .encodedString: encodedString().map(MMSField.Value.encodedString)
    }
  }

  private func counted(_ syntax: MMSFieldSyntax.Counted) -> MMSField.Value? {
    inside()?.read { reader in
      guard let number = reader.integer(), let value = reader.single(syntax) else { return nil }
      return .counted(number, value)
    }
  }

  /// Absolute-token Date-value, or Relative-token Delta-seconds-value.
  private func time() -> MMSField.Value? {
    inside()?.read { reader in
      guard let token = reader.token(), let seconds = reader.integer() else { return nil }
      switch token {
      case 0x80: return .time(.absolute(seconds))
      case 0x81: return .time(.relative(seconds))
      default: return nil
      }
    }
  }

  /// Address-present-token Encoded-string-value, or Insert-address-token.
  private func sender() -> MMSField.Value? {
    inside()?.read { reader in
      switch reader.token() {
      case 0x80: reader.encodedString().map { .sender(.address($0)) }
      case 0x81: .sender(.insertAddress)
      default: nil
      }
    }
  }

  /// The fields inside Content and Additional-headers; nil unless they fill the range. One level only: fields inside them stay octets.
  private mutating func nestedFields(in type: MMSMessage.MessageType) -> [MMSField]? {
    var fields: [MMSField] = []
    while let first = peek() {
      let name: MMSField.Name
      if first >= 0x80 {
        _ = octet()
        name = .known(MMSField.KnownName(rawValue: first))
      } else {
        guard first > 0x20, first < 0x7F, let word = text() else { return nil }
        name = .application(word)
      }
      guard !name.isNestedOrReserved, fields.count < MMSMessage.fieldLimit,
        let extent = name.isText ? textExtent() : valueExtent()
      else { return nil }
      fields.append(MMSField(name: name, value: reader(of: extent).fieldValue(of: name, in: type)))
    }
    return fields
  }
}

extension MMSField.Name {
  /// Whether the value can only be a text, with or without a charset. The value of an application header should be one, but
  /// relays write tokens too.
  var isText: Bool {
    guard case .known(let name) = self else { return false }
    switch name.syntax {
    case .text, .encodedString, .countable(.text), .countable(.encodedString): return true
    default: return false
    }
  }

  /// Fields that must not be nested.
  fileprivate var isNestedOrReserved: Bool {
    guard case .known(let name) = self else { return false }
    return name.isReserved || name.syntax == .fields
  }
}
