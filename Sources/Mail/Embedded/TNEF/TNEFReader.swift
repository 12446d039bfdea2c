internal import Encodings

/// Reads a stream of Microsoft Outlook, `winmail.dat` (MS-OXTNEF): its files, attached messages and body.
///
/// Lengths that do not fit end the reading; what was found before is kept. Every octet is looked at once.
struct TNEFReader {
  /// A file or an attached message.
  struct Attachment {
    var name: String?
    var type: String?
    var contentID: String?
    /// Of its content in the stream.
    var content: Range<Int>?
    /// Whether the content is another stream: a message.
    var isMessage = false
  }

  /// What a stream says of its message.
  struct Message {
    var subject: String?
    var plainText: Range<Int>?
    var isPlainTextUTF16 = false
    var html: Range<Int>?
    /// Stated for the HTML; otherwise the HTML states its own.
    var htmlCharset: Charset?
    /// Compressed (MS-OXRTFCP).
    var rtf: Range<Int>?
  }

  static let signature: [UInt8] = [0x78, 0x9F, 0x3E, 0x22]

  private let octets: Octets
  private let maxAttachments: Int
  private(set) var message = Message()
  private(set) var attachments: [Attachment] = []
  /// Whether the stream ended inside of an attribute.
  private(set) var isDamaged = false
  /// The charset of 8-bit texts.
  private(set) var charset: Charset?

  init(_ octets: Octets, maxAttachments: Int) {
    self.octets = octets
    self.maxAttachments = maxAttachments
    guard octets.range(0..<octets.count, startsWith: Self.signature) else {
      isDamaged = true
      return
    }
    var offset = 6
    while offset < octets.count {
      // Level, attribute and length before the content, a checksum after it (MS-OXTNEF 2.1.2).
      let length = Int(octets.number32(at: offset + 5))
      let start = offset + 9
      guard start + length <= octets.count else {
        isDamaged = true
        // The content of the last file is what is left of it.
        takeRest(octets.number32(at: offset + 1), start)
        return
      }
      guard take(octets.number32(at: offset + 1), start..<start + length) else { return }
      offset = start + length + 2
    }
  }

  private enum Attribute {
    static let subject: UInt32 = 0x0001_8004
    static let body: UInt32 = 0x0002_800C
    static let oemCodePage: UInt32 = 0x0006_9007
    static let messageProperties: UInt32 = 0x0006_9003
    static let attachmentStart: UInt32 = 0x0006_9002
    static let attachmentTitle: UInt32 = 0x0001_8010
    static let attachmentData: UInt32 = 0x0006_800F
    static let attachmentProperties: UInt32 = 0x0006_9005
  }

  /// Returns false at the limit.
  private mutating func take(_ attribute: UInt32, _ range: Range<Int>) -> Bool {
    switch attribute {
    case Attribute.oemCodePage: charset = Self.charset(codePage: Int(octets.number32(at: range.lowerBound)))
    case Attribute.subject where message.subject == nil: message.subject = text(range)
    case Attribute.body where message.plainText == nil: message.plainText = withoutEnd(range)
    case Attribute.messageProperties: takeMessage(MAPIProperties(octets, range))
    case Attribute.attachmentStart:
      guard attachments.count < maxAttachments else { return false }
      attachments.append(Attachment())
    case Attribute.attachmentTitle:
      let title = text(range)
      edit { if $0.name == nil { $0.name = title } }
    case Attribute.attachmentData: edit { if $0.content == nil { $0.content = range } }
    case Attribute.attachmentProperties: takeAttachment(MAPIProperties(octets, range))
    default: break
    }
    return true
  }

  private mutating func takeRest(_ attribute: UInt32, _ start: Int) {
    guard attribute == Attribute.attachmentData, start < octets.count else { return }
    let rest = start..<octets.count
    edit { if $0.content == nil { $0.content = rest } }
  }

  /// Changes the last attachment. One without its beginning is not an attachment.
  private mutating func edit(_ change: (inout Attachment) -> Void) {
    guard let last = attachments.indices.last else { return }
    change(&attachments[last])
  }

  // MARK: Properties

  private mutating func takeMessage(_ properties: MAPIProperties) {
    if let subject = properties[.subject] { message.subject = text(subject) }
    if let body = properties[.body] {
      message.plainText = body.isUTF16 ? withoutEnd16(body.range) : withoutEnd(body.range)
      message.isPlainTextUTF16 = body.isUTF16
    }
    // Binary in the message's own charset; a text is one of a program that is not Outlook.
    if let html = properties[.html], !html.isUTF16 { message.html = withoutEnd(html.range) }
    if let page = properties[.internetCodePage] {
      message.htmlCharset = Self.charset(codePage: Int(octets.number32(at: page.range.lowerBound)))
    }
    if let rtf = properties[.rtf] { message.rtf = rtf.range }
  }

  private mutating func takeAttachment(_ properties: MAPIProperties) {
    guard var attachment = attachments.popLast() else { return }
    defer { attachments.append(attachment) }
    if let name = properties[.attachLongName] ?? properties[.attachName] ?? properties[.displayName] {
      attachment.name = text(name)
    }
    if let type = properties[.attachType] { attachment.type = text(type).lowercased() }
    if let id = properties[.attachContentID] { attachment.contentID = PartFields.identifier(Array(text(id).utf8)) }
    guard let data = properties[.attachData] else { return }
    if data.isObject {
      // An interface identifier is before the content (MS-OXTNEF 2.1.3.5).
      let content = min(data.range.lowerBound + 16, data.range.upperBound)..<data.range.upperBound
      attachment.content = content
      attachment.isMessage = octets.range(content, startsWith: Self.signature)
    } else if attachment.content?.isEmpty ?? true {
      attachment.content = data.range
    }
  }

  // MARK: Text

  private func text(_ value: MAPIProperties.Value) -> String {
    value.isUTF16
      ? Charset.utf16LE.text(octets[withoutEnd16(value.range)][...]) : text(value.range)
  }

  private func text(_ range: Range<Int>) -> String {
    let octets = octets[withoutEnd(range)][...]
    return charset?.mailText(octets) ?? Charset.mailText(undeclared: octets)
  }

  /// Texts end with NUL.
  private func withoutEnd(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, octets[end - 1] == 0 { end -= 1 }
    return range.lowerBound..<end
  }

  private func withoutEnd16(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound - range.count % 2
    while end - 2 >= range.lowerBound, octets[end - 1] == 0, octets[end - 2] == 0 { end -= 2 }
    return range.lowerBound..<end
  }

  /// The charset of a Windows code page.
  static func charset(codePage: Int) -> Charset? {
    switch codePage {
    case 65_001: .utf8
    case 20_127: .usASCII
    case 932: Charset(name: "cp932")
    case 936: Charset(name: "gbk")
    case 949: Charset(name: "euc-kr")
    case 950: Charset(name: "big5")
    case 874: Charset(name: "tis-620")
    case 28_591...28_606: Charset(name: "iso-8859-\(codePage - 28_590)")
    default: Charset(name: "windows-\(codePage)")
    }
  }
}

extension Octets {
  /// A number of 32 bits, little-endian.
  func number32(at offset: Int) -> UInt32 {
    UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16
      | UInt32(self[offset + 3]) << 24
  }

  func number16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

  func range(_ range: Range<Int>, startsWith prefix: [UInt8]) -> Bool {
    range.count >= prefix.count && equal(range.prefix(prefix.count), prefix)
  }
}
