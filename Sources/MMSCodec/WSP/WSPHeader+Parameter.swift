extension WSPHeader {
  /// One parameter of a Content-Type or Content-Disposition (WAP-230-WSP §8.4.2.4), coded or textual.
  public struct Parameter: Hashable, Sendable {
    /// How a parameter is named on the wire.
    public enum Name: Hashable, Sendable {
      /// By its assigned number (WAP-230-WSP table 38), without the high bit: 0x05 is `name`.
      case assigned(Int)
      /// By its name as text, if it has no assigned number or the sender used none.
      case token(TextString)
    }

    /// A parameter's value, as the encoding of its name allows (WAP-230-WSP, 8.4.2.4).
    public enum Value: Hashable, Sendable {
      /// A number: a charset's MIBenum, a media type's number, a size, a date.
      case integer(Int)
      /// A text; empty where the parameter has no value.
      case text(TextString)
      /// A text after a quotation mark.
      case quoted(TextString)
      /// The quality factor of parameter 0x00 as its uintvar: 1 for 0, 100 for 0.99, 333 for 0.233 (WAP-230-WSP §8.4.2.3).
      case quality(Int)

      /// The text, quoted or not; nil for a number.
      var text: TextString? {
        switch self {
        case .text(let text), .quoted(let text): text
        case .integer, .quality: nil
        }
      }
    }

    /// An assigned number, or a text.
    public var name: Name
    /// The value; the encoding depends on ``name``.
    public var value: Value

    /// A parameter of a Content-Type or Content-Disposition.
    public init(name: Name, value: Value) {
      self.name = name
      self.value = value
    }

    /// The parameters that this library reads.
    public enum Kind: String, Sendable, CaseIterable {
      /// The charset of a text.
      case charset
      /// The file name in a Content-Type.
      case name
      /// The file name in a Content-Disposition.
      case filename
      /// The Content-ID of the first part to show.
      case start
      /// Additional information about the start part.
      case startInfo = "start-info"
      /// The media type of the start part.
      case type

      /// Assigned numbers, the one that phones write first. WSP 1.4 gave the texts new numbers, 0x17…0x1A.
      var numbers: [Int] {
        switch self {
        case .charset: [0x01]
        case .name: [0x05, 0x17]
        case .filename: [0x06, 0x18]
        case .start: [0x0A, 0x19]
        case .startInfo: [0x0B, 0x1A]
        case .type: [0x09, 0x03]
        }
      }
    }

    /// A parameter in the coded form that phones write.
    public init(_ kind: Kind, _ value: Value) {
      self.init(name: .assigned(kind.numbers.first ?? 0), value: value)
    }

    /// A textual parameter in the coded form that phones write.
    public init(_ kind: Kind, _ text: String) { self.init(kind, .text(TextString(text))) }

    package func isOf(_ kind: Kind) -> Bool {
      switch name {
      case .assigned(let number): kind.numbers.contains(number)
      case .token(let word): word.isWord(kind.rawValue)
      }
    }

    /// The only parameter whose type of value does not follow from its first octet.
    static let qualityNumber = 0x00
    /// Maximum number of parameters of a type; further parameters are skipped.
    static let limit = 100
  }
}

extension WSPReader {
  /// The parameters that begin before `end`. An unreadable parameter ends the list.
  mutating func parameters(upTo end: Int) -> [WSPHeader.Parameter] {
    var parameters: [WSPHeader.Parameter] = []
    while position < end, parameters.count < WSPHeader.Parameter.limit, let parameter = parameter() {
      parameters.append(parameter)
    }
    return parameters
  }

  private mutating func parameter() -> WSPHeader.Parameter? {
    guard let first = peek() else { return nil }
    let name: WSPHeader.Parameter.Name
    if first >= 0x80 || first < 0x20 {
      guard let number = integer() else { return nil }
      name = .assigned(number)
    } else {
      guard let word = text(), !word.octets.isEmpty else { return nil }
      name = .token(word)
    }
    if name == .assigned(WSPHeader.Parameter.qualityNumber) {
      return uintvar().map { WSPHeader.Parameter(name: name, value: .quality($0)) }
    }
    return parameterValue().map { WSPHeader.Parameter(name: name, value: $0) }
  }

  /// A value by its first octet, for any parameter, so that an unknown one does not hide those after it.
  private mutating func parameterValue() -> WSPHeader.Parameter.Value? {
    guard let first = peek() else { return nil }
    switch first {
    case 0x80...0xFF, 1...30: return integer().map(WSPHeader.Parameter.Value.integer)
    case 0x22: return quotedString().map(WSPHeader.Parameter.Value.quoted)
    default: return textToEnd().map(WSPHeader.Parameter.Value.text)
    }
  }
}

extension WSPWriter {
  mutating func parameters(_ parameters: [WSPHeader.Parameter]) throws(MMSMessage.EncodingError) {
    guard parameters.count <= WSPHeader.Parameter.limit else { throw MMSMessage.EncodingError(.tooMany) }
    for parameter in parameters {
      switch parameter.name {
      case .assigned(let number): try integer(number)
      case .token(let word):
        guard !word.octets.isEmpty else { throw MMSMessage.EncodingError(.unfitName) }
        try text(word)
      }
      switch (parameter.value, parameter.name == .assigned(WSPHeader.Parameter.qualityNumber)) {
      case (.quality(let quality), true): try uintvar(quality)
      case (.integer(let number), false): try integer(number)
      case (.text(let text), false): try self.text(text)
      case (.quoted(let text), false): try quotedString(text)
      default: throw MMSMessage.EncodingError(.wrongValue)
      }
    }
  }
}
