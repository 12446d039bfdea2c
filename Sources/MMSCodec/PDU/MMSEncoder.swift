/// Writes one PDU.
struct MMSEncoder {
  var writer = WSPWriter()

  mutating func message(_ message: MMSMessage) throws(MMSMessage.EncodingError) {
    writer.octets.reserveCapacity(1_024 + (message.content?.bodySize ?? 0))
    writer.octet(MMSField.KnownName.messageType.rawValue)
    writer.octet(message.type.rawValue)
    if let transactionID = message.transactionID {
      writer.octet(MMSField.KnownName.transactionID.rawValue)
      try attempt(.transactionID) { (writer) throws(MMSMessage.EncodingError) in try writer.text(transactionID) }
    }
    if let version = message.version {
      writer.octet(MMSField.KnownName.version.rawValue)
      writer.octet(version.octet)
    }
    guard message.fields.count <= MMSMessage.fieldLimit else { throw MMSMessage.EncodingError(.tooMany) }
    for field in message.fields { try self.field(field, in: message.type) }
    if let content = message.content { try self.content(content) }
  }

  private mutating func content(_ content: MMSMessage.Content) throws(MMSMessage.EncodingError) {
    writer.octet(MMSField.KnownName.contentType.rawValue)
    try attempt(.contentType) { (writer) throws(MMSMessage.EncodingError) in try writer.contentType(content.type) }
    switch content.body {
    case .parts(let parts):
      guard content.type.isMultipart else { throw MMSMessage.EncodingError(.bodyOfOtherType) }
      try writer.parts(parts)
    case .octets(let octets):
      guard !content.type.isMultipart else { throw MMSMessage.EncodingError(.bodyOfOtherType) }
      writer.raw(octets)
    }
  }

  private mutating func field(_ field: MMSField, in type: MMSMessage.MessageType) throws(MMSMessage.EncodingError) {
    do throws(MMSMessage.EncodingError) {
      try writer.field(field, in: type)
    } catch {
      throw MMSMessage.EncodingError(error.reason, field: field.name)
    }
  }

  private mutating func attempt(
    _ name: MMSField.KnownName, _ write: (inout WSPWriter) throws(MMSMessage.EncodingError) -> Void
  ) throws(MMSMessage.EncodingError) {
    do throws(MMSMessage.EncodingError) { try write(&writer) } catch {
      throw MMSMessage.EncodingError(error.reason, field: .known(name))
    }
  }
}

extension MMSMessage.Content {
  fileprivate var bodySize: Int {
    switch body {
    case .octets(let octets): octets.count
    // 200 octets of headers a part are more than most have.
    case .parts(let parts): parts.reduce(0) { $0 + $1.body.count + 200 }
    }
  }
}

extension WSPWriter {
  fileprivate mutating func field(
    _ field: MMSField, in type: MMSMessage.MessageType, isNested: Bool = false
  ) throws(MMSMessage.EncodingError) {
    switch field.name {
    case .known(let name):
      guard name.rawValue >= 0x80, !name.isReserved else { throw MMSMessage.EncodingError(.reservedField) }
      guard !isNested || name.syntax != .fields || field.value.isOpaque else {
        throw MMSMessage.EncodingError(.wrongValue)
      }
      octet(name.rawValue)
      try value(field, name.syntax, in: type)
    case .application(let name):
      guard let first = name.octets.first, first > 0x20, first < 0x7F else {
        throw MMSMessage.EncodingError(.unfitName)
      }
      guard !name.octets.contains(0) else { throw MMSMessage.EncodingError(.nulInText) }
      raw(name.octets)
      octet(0)
      try value(field, nil, in: type)
    }
  }

  private mutating func value(
    _ field: MMSField, _ syntax: MMSFieldSyntax?, in type: MMSMessage.MessageType
  ) throws(MMSMessage.EncodingError) {
    let start = octets.count
    switch field.value {
    case .token(let token): octet(token)
    case .integer(let number):
      if syntax == .longInteger { try longInteger(number) } else { try integer(number) }
    case .text(let text): try self.text(text)
    case .encodedString(let string): try encodedString(string)
    case .opaque(let value): raw(value)
    case .counted(let number, let inner):
      try counted { (writer) throws(MMSMessage.EncodingError) in
        try writer.integer(number)
        switch inner {
        case .token(let token): writer.octet(token)
        case .text(let text): try writer.text(text)
        case .integer(let number): try writer.longInteger(number)
        case .encodedString(let string): try writer.encodedString(string)
        default: throw MMSMessage.EncodingError(.wrongValue)
        }
      }
    case .time(let time):
      try counted { (writer) throws(MMSMessage.EncodingError) in
        switch time {
        case .absolute(let seconds):
          writer.octet(0x80)
          try writer.longInteger(seconds)
        case .relative(let seconds):
          writer.octet(0x81)
          try writer.longInteger(seconds)
        }
      }
    case .sender(let sender):
      try counted { (writer) throws(MMSMessage.EncodingError) in
        switch sender {
        case .insertAddress: writer.octet(0x81)
        case .address(let address):
          writer.octet(0x80)
          try writer.encodedString(address)
        }
      }
    case .keywords(let token, let string):
      try counted { (writer) throws(MMSMessage.EncodingError) in
        writer.octet(token)
        try writer.encodedString(string)
      }
    case .amount(let token, let number):
      try counted { (writer) throws(MMSMessage.EncodingError) in
        writer.octet(token)
        try writer.integer(number)
      }
    case .element(let reference, let parameters):
      try counted { (writer) throws(MMSMessage.EncodingError) in
        try writer.text(reference)
        try writer.parameters(parameters)
      }
    case .fields(let fields):
      try counted { (writer) throws(MMSMessage.EncodingError) in
        for field in fields { try writer.field(field, in: type, isNested: true) }
      }
    }
    // A value of another form than the field's would be decoded as something else, so it is refused.
    var reader = WSPReader(octets[start...])
    guard let extent = reader.valueExtent(), reader.isAtEnd,
      reader.reader(of: extent).fieldValue(of: field.name, in: type) == field.value
    else { throw MMSMessage.EncodingError(.wrongValue) }
  }
}

extension MMSField.Value {
  fileprivate var isOpaque: Bool { if case .opaque = self { true } else { false } }
}
