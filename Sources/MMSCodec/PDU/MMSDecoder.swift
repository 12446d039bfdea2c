/// One pass over the octets of a PDU.
struct MMSDecoder {
  private(set) var defects: [MMSMessage.Defect] = []
  private var reader: WSPReader

  init(_ octets: ArraySlice<UInt8>) { reader = WSPReader(octets) }

  mutating func message() throws(MMSMessage.DecodingError) -> MMSMessage {
    guard !reader.isAtEnd else { throw MMSMessage.DecodingError(.empty, at: 0) }
    var message = MMSMessage(try messageType(), version: nil)
    var hasType = false
    var isFull = false
    while let first = reader.peek() {
      let offset = reader.offset
      guard first != 0 else {
        // Some relays pad their headers.
        _ = reader.octet()
        note(.strayOctet, at: offset)
        continue
      }
      switch try fieldName(first) {
      case .known(.contentType):
        message.content = try content()
        return message
      case .known(.messageType):
        _ = try extent(of: .known(.messageType))
        if hasType { note(.repeatedField, at: offset) }
        hasType = true
      case .known(.version):
        let value = reader.reader(of: try extent(of: .known(.version)))
        if message.version != nil {
          note(.repeatedField, at: offset)
        } else if let octet = value.peek(), octet >= 0x80 {
          message.version = MMSMessage.Version(octet: octet)
        } else {
          note(.malformedValue, at: offset)
        }
      case .known(.transactionID):
        var value = reader.reader(of: try extent(of: .known(.transactionID)))
        if message.transactionID != nil {
          note(.repeatedField, at: offset)
        } else if let text = value.fieldText() {
          message.transactionID = text
        } else {
          note(.malformedValue, at: offset)
        }
      case let name:
        guard !isFull else { throw MMSMessage.DecodingError(.tooManyFields, at: offset) }
        let value = reader.reader(of: try extent(of: name)).fieldValue(of: name, in: message.type)
        if case .opaque = value, name.hasSyntax { note(.malformedValue, at: offset) }
        message.fields.append(MMSField(name: name, value: value))
        isFull = message.fields.count == MMSMessage.fieldLimit
      }
    }
    return message
  }

  mutating func note(_ kind: MMSMessage.Defect.Kind, at offset: Int) {
    // Limited, because padding can be as long as the message.
    if defects.count < 1_000 { defects.append(MMSMessage.Defect(kind: kind, offset: offset)) }
  }

  /// The message type, usually the first field; found anywhere, because the form of some values depends on it.
  private func messageType() throws(MMSMessage.DecodingError) -> MMSMessage.MessageType {
    var search = self
    while let first = search.reader.peek() {
      if first == 0 {
        _ = search.reader.octet()
        continue
      }
      let name = try search.fieldName(first, orElse: .noMessageType)
      if name == .known(.contentType) { break }
      let offset = search.reader.offset
      guard name == .known(.messageType) else {
        _ = try search.extent(of: name)
        continue
      }
      let octet = search.reader.peek() ?? 0
      guard let type = MMSMessage.MessageType(rawValue: octet) else {
        throw MMSMessage.DecodingError(.unknownMessageType(octet), at: offset)
      }
      return type
    }
    throw MMSMessage.DecodingError(.noMessageType, at: search.reader.offset)
  }

  /// A field's octet, or an application header's name.
  private mutating func fieldName(
    _ first: UInt8, orElse reason: MMSMessage.DecodingError.Reason? = nil
  ) throws(MMSMessage.DecodingError) -> MMSField.Name {
    let offset = reader.offset
    if first >= 0x80 {
      _ = reader.octet()
      return .known(MMSField.KnownName(rawValue: first))
    }
    guard first > 0x20, first < 0x7F else { throw MMSMessage.DecodingError(reason ?? .notAHeader(first), at: offset) }
    guard let word = reader.text() else { throw MMSMessage.DecodingError(reason ?? .truncated, at: offset) }
    return .application(word)
  }

  private mutating func extent(of name: MMSField.Name) throws(MMSMessage.DecodingError) -> Range<Int> {
    let offset = reader.offset
    let isUnquoted = name.isText && (reader.peek() ?? 0) >= 0x80
    guard let extent = name.isText ? reader.textExtent() : reader.valueExtent() else {
      throw MMSMessage.DecodingError(.truncated, at: offset)
    }
    if isUnquoted { note(.missingQuote, at: offset) }
    return extent
  }

  /// Content-Type and the body behind it: the rest of the PDU.
  private mutating func content() throws(MMSMessage.DecodingError) -> MMSMessage.Content {
    let offset = reader.offset
    let type: ContentType
    if let found = reader.messageContentType() {
      type = found.type
      if found.overrun { note(.contentTypeTooShort, at: offset) }
    } else {
      _ = try extent(of: .known(.contentType))
      note(.malformedValue, at: offset)
      type = ContentType("application/octet-stream")
    }
    guard type.isMultipart else { return MMSMessage.Content(type: type, octets: reader.rest()) }
    var found: [MMSMessage.Defect] = []
    let parts = reader.parts { found.append(MMSMessage.Defect(kind: $0, offset: $1)) }
    for defect in found { note(defect.kind, at: defect.offset) }
    return MMSMessage.Content(type: type, parts: parts)
  }
}

extension MMSField.Name {
  /// Whether the form of the value is known, so that a value kept as octets is a defect.
  fileprivate var hasSyntax: Bool {
    switch self {
    case .known(let name): name.syntax != nil
    case .application: true
    }
  }
}
