internal import Encodings
internal import MMSCodec
internal import TestSupport

/// Messages of every type with every field in every form that can be written.
struct RandomMessage {
  var random: SeededGenerator

  private mutating func oneIn(_ count: Int) -> Bool { random.below(count) == 0 }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

  /// Octets without a NUL, half of the time of the kinds that quoting is for.
  private mutating func textOctets() -> ArraySlice<UInt8> {
    let length = pick([0, 1, 2, 7, 28, 29, 30, 31, 40, 130])
    let lowest = oneIn(2) ? 1 : 0x20
    return ArraySlice((0..<length).map { _ in UInt8(lowest + random.below(256 - lowest)) })
  }

  private mutating func text() -> TextString {
    oneIn(2) ? pick(["", "a", "name.jpg", "\"", "\"a\"", "é", "<0>", "日本"]) : TextString(octets: textOctets())
  }

  private mutating func number() -> Int {
    pick([0, 1, 127, 128, 255, 256, 65_535, 1_700_000_000, 1 << 40, Int.max, random.below(1 << 20)])
  }

  private mutating func encodedString() -> EncodedString {
    switch random.below(4) {
    case 0: return EncodedString(octets: textOctets(), charset: nil)
    case 1:
      let mib = pick([1_000, 1_013, 1_014, 1_015])
      let octets = (0..<2 * random.below(20)).map { _ in UInt8(pick([0, 0x41, 0x7F, 0xFE, 0xFF, random.below(256)])) }
      return EncodedString(octets: octets[...], charset: Charset(mib: mib))
    case 2: return EncodedString(pick(["", "hello", "héllo", "日本語", "😀"]))
    default:
      return EncodedString(octets: textOctets(), charset: Charset(mib: pick([0, 3, 4, 17, 106, 2_025, 9_999, 127])))
    }
  }

  private mutating func parameters() -> [WSPHeader.Parameter] {
    (0..<random.below(4)).map { _ in
      if oneIn(8) { return WSPHeader.Parameter(name: .assigned(0), value: .quality(random.below(1_100))) }
      let name: WSPHeader.Parameter.Name =
        oneIn(2) ? .assigned(1 + random.below(200)) : .token(pick(["charset", "name", "X-y", "é", "\"q"]))
      let value: WSPHeader.Parameter.Value =
        switch random.below(3) {
        case 0: .integer(number())
        case 1: .text(text())
        default: .quoted(text())
        }
      return WSPHeader.Parameter(name: name, value: value)
    }
  }

  private mutating func contentType() -> ContentType {
    let media: ContentType.Media =
      switch random.below(4) {
      case 0: .unassigned(83 + random.below(1_000))
      case 1: .name(TextString(octets: textOctets() + [0x78]))
      default: .name(pick(["text/plain", "image/jpeg", "application/smil", "video/3gpp", "TEXT/Plain"]))
      }
    return ContentType(media: media, parameters: parameters())
  }

  private mutating func part() -> MMSMessage.Part {
    let headers = (0..<random.below(4)).map { _ in
      switch random.below(5) {
      case 0: WSPHeader(name: WSPHeader.contentID, value: .quoted(text()))
      case 1: WSPHeader(name: WSPHeader.contentLocation, value: .text(text()))
      case 2:
        WSPHeader(
          name: pick([WSPHeader.contentDisposition, WSPHeader.contentDisposition14]),
          value: .disposition(
            ContentDisposition(pick([.formData, .attachment, .inline, .token("x")]), parameters: parameters())))
      case 3: WSPHeader(name: .token(pick(["Content-Transfer-Encoding", "x", "\"q"])), value: .text(text()))
      default: WSPHeader(name: .assigned(UInt8(pick([2, 5, 0x7F]))), value: .opaque([UInt8(0x80 + random.below(128))]))
      }
    }
    let body = (0..<pick([0, 1, 127, 128, 500])).map { _ in UInt8(random.below(256)) }
    return MMSMessage.Part(contentType: contentType(), headers: headers, body: body[...])
  }

  private mutating func content() -> MMSMessage.Content {
    if oneIn(4) {
      let type = contentType()
      return MMSMessage.Content(type: type, octets: textOctets())
    }
    let type = ContentType(
      pick([
        "application/vnd.wap.multipart.related", "application/vnd.wap.multipart.mixed",
        "application/vnd.wap.multipart.x",
      ]),
      parameters: parameters())
    return MMSMessage.Content(type: type, parts: (0..<random.below(5)).map { _ in part() })
  }

  private mutating func token() -> UInt8 { UInt8(0x80 + random.below(128)) }

  /// A value of the form that a field has.
  private mutating func value(of octet: UInt8, in type: MMSMessage.MessageType) -> MMSField.Value {
    let counts = type == .deleteConf || type == .mboxDeleteConf
    switch octet {
    case 0x81, 0x82, 0x96, 0x97, 0x9A, 0xA6, 0xB5, 0xB6: return .encodedString(encodedString())
    case 0x83: return oneIn(3) ? .counted(random.below(300), .text(text())) : .text(text())
    case 0x85, 0x8E, 0x9F, 0xAD, 0xAF, 0xB3: return .integer(number())
    case 0x87, 0x88, 0x9D: return .time(oneIn(2) ? .absolute(number()) : .relative(number()))
    case 0x89: return .sender(oneIn(3) ? .insertAddress : .address(encodedString()))
    case 0x8A: return oneIn(2) ? .token(token()) : .text(text())
    case 0x8B, 0x9E, 0xB7, 0xB8, 0xB9, 0xBD, 0xBE: return .text(text())
    case 0x92: return oneIn(3) ? .counted(random.below(300), .token(token())) : .token(token())
    case 0x93:
      return counts ? .counted(random.below(300), .encodedString(encodedString())) : .encodedString(encodedString())
    case 0xA0: return .counted(random.below(300), .encodedString(encodedString()))
    case 0xA1: return .counted(random.below(300), .integer(number()))
    case 0xA4: return .keywords(token(), encodedString())
    case 0xAA, 0xAC: return .amount(token(), number())
    case 0xB2: return .element(text(), parameters())
    case 0xAE, 0xB0: return .fields((0..<random.below(3)).map { _ in field(in: type, nested: true) })
    case 0xC0...0xFF:
      return .opaque(pick([[0x80], [0x41, 0x00], [0x02, 0xAA, 0xBB], [0x00]]))
    default: return .token(token())
    }
  }

  private mutating func field(in type: MMSMessage.MessageType, nested: Bool = false) -> MMSField {
    if oneIn(10) { return MMSField(name: .application(pick(["Return-Path", "X", "<html>"])), value: .text(text())) }
    while true {
      let octet = UInt8(oneIn(20) ? 0xC0 + random.below(64) : 0x81 + random.below(63))
      if [0x84, 0x8C, 0x8D, 0x98].contains(octet) || (nested && [0xAE, 0xB0].contains(octet)) { continue }
      return MMSField(MMSField.KnownName(rawValue: octet), value(of: octet, in: type))
    }
  }

  mutating func message() -> MMSMessage {
    let type = pick(MMSMessage.MessageType.allCases)
    var message = MMSMessage(type, version: nil)
    if !oneIn(5) { message.transactionID = text() }
    if !oneIn(5) { message.version = MMSMessage.Version(major: random.below(8), minor: random.below(16)) }
    message.fields = (0..<random.below(12)).map { _ in field(in: type) }
    if !oneIn(3) { message.content = content() }
    return message
  }
}
