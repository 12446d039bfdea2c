internal import Encodings
internal import MediaModel

/// Makes parts and headers of header fields.
enum PartFields {
  /// A part with the facts of its header, and its boundaries if it is a multipart: see ``ParameterList/boundaries``.
  static func part(
    _ block: HeaderBlock, in octets: Octets, isInDigest: Bool
  ) -> (part: MailStructure.Part, boundaries: [[UInt8]]) {
    var boundaries: [[UInt8]] = []
    var part = MailStructure.Part.empty(isInDigest ? MediaType("message/rfc822") : .plainText)
    if let range = block[.contentType] {
      let field = ParameterList(octets.unfolded(range))
      if isType(field.value) { part.type = MediaType(field.value) }
      part.parameters = field.parameters
      boundaries = part.isMultipart ? field.boundaries : []
    }
    var disposition: [String: String] = [:]
    if let range = block[.contentDisposition] {
      let field = ParameterList(octets.unfolded(range))
      part.disposition = field.value.isEmpty ? nil : field.value
      disposition = field.parameters
    }
    part.name = name(type: part.parameters, disposition: disposition)
    if let range = block[.contentTransferEncoding] {
      part.encoding = encoding(octets.unfolded(range))
    }
    part.contentID = block[.contentID].flatMap { identifier(octets.unfolded($0)) }
    part.location = block[.contentLocation].flatMap { trimmed(octets.unfolded($0)) }
    return (part, boundaries)
  }

  /// The header of a message.
  static func header(_ block: HeaderBlock, in octets: Octets) -> MailStructure.Header {
    var header = MailStructure.Header()
    header.subject = block[.subject].map { text(octets.unfolded($0)) }
    header.from = block[.from].map { addresses(octets.unfolded($0)) } ?? []
    header.to = block[.to].map { addresses(octets.unfolded($0)) } ?? []
    header.cc = block[.cc].map { addresses(octets.unfolded($0)) } ?? []
    header.replyTo = block[.replyTo].map { addresses(octets.unfolded($0)) } ?? []
    header.inReplyTo = block[.inReplyTo].map { identifiers(octets.unfolded($0)) } ?? []
    header.references = block[.references].map { identifiers(octets.unfolded($0)) } ?? []
    header.date = block[.date].flatMap { trimmed(octets.unfolded($0)) }
    header.messageID = block[.messageID].flatMap { identifier(octets.unfolded($0)) }
    return header
  }

  /// The file name: of the disposition, otherwise of the type (RFC 2183 §2.3).
  static func name(type: [String: String], disposition: [String: String]) -> String? {
    for name in [disposition["filename"], type["name"], disposition["name"], type["filename"]] {
      if let name, !name.isEmpty { return name.withoutControls }
    }
    return nil
  }

  /// A token before anything else, in lower case.
  static func encoding(_ value: [UInt8]) -> String? {
    let token = value.drop(while: { ASCII.isSpace($0) || $0 == ASCII.quote }).prefix {
      !ASCII.isSpace($0) && $0 != 0x3B && $0 != 0x28 && $0 != ASCII.quote
    }
    return token.isEmpty ? nil : String(decoding: token.map(ASCII.lower), as: UTF8.self)
  }

  /// Whether a value is `type/subtype` of tokens (RFC 2045 §5.1).
  static func isType(_ value: String) -> Bool {
    let words = value.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    return words.count == 2 && words.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
  }

  /// The text of an unstructured field.
  static func text(_ octets: [UInt8]) -> String { EncodedWords.mailText(trimmedOctets(octets)).withoutControls }

  /// An id without its angle brackets.
  static func identifier(_ octets: [UInt8]) -> String? {
    var value = trimmedOctets(octets)
    if value.first == 0x3C { value = value.dropFirst() }
    if value.last == 0x3E { value = value.dropLast() }
    return value.isEmpty ? nil : Charset.mailText(undeclared: value).withoutControls
  }

  /// The ids in angle brackets; without any, the only word (RFC 5322 §3.6.4).
  static func identifiers(_ octets: [UInt8]) -> [String] {
    var result: [String] = []
    var rest = octets[...]
    while let start = rest.firstIndex(of: 0x3C), let end = rest[start...].firstIndex(of: 0x3E) {
      if let id = identifier(Array(rest[start...end])) { result.append(id) }
      rest = rest[(end + 1)...]
    }
    if result.isEmpty, let id = identifier(octets), !id.utf8.contains(where: ASCII.isSpace) { result.append(id) }
    return result
  }

  /// A value without surrounding spaces, which contains no encoded words.
  static func trimmed(_ octets: [UInt8]) -> String? {
    let value = trimmedOctets(octets)
    return value.isEmpty ? nil : Charset.mailText(undeclared: value).withoutControls
  }

  private static func trimmedOctets(_ octets: [UInt8]) -> ArraySlice<UInt8> {
    let start = octets.firstIndex { !ASCII.isSpace($0) } ?? octets.endIndex
    let end = octets.lastIndex { !ASCII.isSpace($0) }.map { $0 + 1 } ?? start
    return octets[start..<max(start, end)]
  }

  /// The addresses of a field, split at commas outside quotes, comments and angle brackets.
  static func addresses(_ octets: [UInt8]) -> [String] {
    var result: [String] = []
    var start = 0
    var (isQuoted, brackets, comments) = (false, 0, 0)
    func add(_ end: Int) {
      let value = trimmedOctets(Array(octets[start..<end]))
      if !value.isEmpty { result.append(EncodedWords.mailText(value).withoutControls) }
    }
    var offset = 0
    while offset < octets.count {
      switch octets[offset] {
      case ASCII.backslash: offset += 1
      case ASCII.quote: isQuoted.toggle()
      case 0x3C where !isQuoted: brackets += 1
      case 0x3E where !isQuoted: brackets = max(0, brackets - 1)
      case 0x28 where !isQuoted: comments += 1
      case 0x29 where !isQuoted: comments = max(0, comments - 1)
      case 0x2C where !isQuoted && brackets == 0 && comments == 0:
        add(offset)
        start = offset + 1
      default: break
      }
      offset += 1
    }
    add(octets.count)
    return result
  }
}

extension String {
  /// The text on one line. Encoded words, extended parameters and literals may contain any octet, but only printable ones should be displayed
  /// (RFC 2047 §5), and a line break would begin another field where the text becomes one.
  var withoutControls: String {
    // Each of these has an octet below the space, or is DEL or one of two octets that begin with C2.
    guard utf8.contains(where: { $0 < 0x20 && $0 != ASCII.tab || $0 == 0x7F || $0 == 0xC2 }) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar {
          case "\t": scalar
          case "\r", "\n": " "
          default: scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
          }
        }))
  }
}

extension MailStructure.Part {
  static func empty(_ type: MediaType) -> MailStructure.Part {
    MailStructure.Part(section: "1", type: type, parameters: [:], octets: 0, decodedSize: .exact(0))
  }

  /// What is malformed or over a limit is one piece of content.
  mutating func makeLeaf(_ type: MediaType) {
    self.type = type
    if type != .plainText { parameters["charset"] = nil }
  }

  var transferEncoding: TransferEncoding? { encoding.flatMap { TransferEncoding(name: $0) } }
}
