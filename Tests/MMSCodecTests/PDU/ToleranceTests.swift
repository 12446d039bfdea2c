internal import Encodings
internal import MMSCodec
internal import MediaModel
internal import TestSupport
internal import Testing

/// What real phones and relays write, one test a habit; the octets are made here after descriptions of the habits.
@Suite struct ToleranceTests {
  /// The message, read twice: what was read is written so that it reads as before.
  private func read(_ pdu: [UInt8]) throws -> (message: MMSMessage, defects: [MMSMessage.Defect.Kind]) {
    var defects: [MMSMessage.Defect] = []
    let message = try MMSMessage(decoding: pdu[...], defects: &defects)
    #expect(try MMSMessage(decoding: message.encoded()) == message)
    return (message, defects.map(\.kind))
  }

  /// An M-Retrieve.conf with these parts.
  private func retrieve(type: String = "A3", _ parts: [(headers: String, data: String)]) throws -> MMSMessage {
    let body = multipart(parts.map { (octets($0.headers), octets($0.data)) })
    return try read(octets("8C 84 8D 90 85 04 65 53 F1 00 84 \(type)") + body).message
  }

  @Test func `A related multipart is read without start and type`() throws {
    let message = try retrieve(type: "B3", [("83", "'hi'")])
    #expect(message.content?.type.mediaType.rawValue == "application/vnd.wap.multipart.related")
    #expect(message.parts.map(\.text) == ["hi"])
  }

  @Test(arguments: [
    "C0 22 '<0.smil>' 00", "C0 22 '0.smil' 00", "C0 '0.smil' 00", "C0 '<0.smil>' 00", "C0 22 '<0.smil>' 22 00",
  ])
  func `A content ID is read with and without brackets and quotes`(header: String) throws {
    let message = try retrieve([("'application/smil' 00 \(header)", "'<smil/>'")])
    #expect(message.parts.first?.contentID == "0.smil")
  }

  @Test func `An empty subject with a charset is read, and one in the form of mail`() throws {
    #expect(try read(octets("8C 84 96 02 EA 00")).message.subjectText == "")
    #expect(try read(octets("8C 84 96 '=?utf-8?B??=' 00")).message.subjectText == "")
    #expect(
      try read(octets("8C 84 96 'Re: =?UTF-8?B?w6k=?= =?iso-8859-1?q?_=E9?= =?x?' 00")).message.subjectText
        == "Re: é é =?x?")
  }

  @Test func `A subject cut inside a character loses only that character`() throws {
    #expect(try read(octets("8C 84 96 08 EA 'abc' F0 9F 98 00")).message.subjectText == "abc")
    #expect(try read(octets("8C 84 96 'a' C3 A9 'b' C3 00")).message.subjectText == "aéb")
  }

  @Test func `A subject is read with a byte order mark, in Korean and in Latin-1`() throws {
    #expect(try read(octets("8C 84 96 06 EA EF BB BF 'A' 00")).message.subjectText == "A")
    #expect(try read(octets("8C 84 96 06 A4 C7 D1 B1 DB 00")).message.subjectText == "한글")
    #expect(try read(octets("8C 84 96 03 84 E9 00")).message.subjectText == "é")
    guard case .address(let sender)? = try read(octets("8C 84 89 07 80 05 A4 7F C7 D1 00")).message[.from] else {
      Issue.record("no sender")
      return
    }
    #expect(sender.text == "한")
  }

  @Test(arguments: [("C3 A9", "é"), ("E9", "é"), ("41 E9 42", "AéB"), ("E6 97 A5", "日"), ("41 E6 97", "A")])
  func `Text of eight bits labelled as ASCII is read`(data: String, text: String) throws {
    #expect(try retrieve([("03 83 81 83", data)]).parts.first?.text == text)
  }

  @Test func `Textual parameters are read`() throws {
    let part = try #require(
      retrieve([("1F 23 83 'charset' 00 'iso-8859-1' 00 'name' 00 'a text.txt' 00", "E9")]).parts.first)
    #expect(part.contentType.charset == .latin1)
    #expect(part.name == "a text.txt")
    #expect(part.text == "é")
  }

  @Test func `A content type whose length is two octets too short is read`() throws {
    let body = multipart([(octets("83"), octets("'hi'"))])
    let (message, defects) = try read(octets("8C 84 84 18 B3 8A '<0>' 00 89 'application/smil' 00") + body)
    #expect(message.content?.type.text(.type) == "application/smil")
    #expect(message.parts.map(\.text) == ["hi"])
    #expect(defects == [])
    let short = try read(octets("8C 84 84 16 B3 8A '<0>' 00 89 'application/smil' 00") + body)
    #expect(short.message == message)
    #expect(short.defects == [.contentTypeTooShort])
  }

  @Test(
    "A text that is not quoted keeps what can be read, and so do the headers after it",
    arguments: [
      ("E9 't' E9", "été"), ("C3 A9 't' C3 A9", "été"), ("FF", "ÿ"), ("E9 8C 84 98", "é\u{8C}\u{84}\u{98}"),
    ])
  func anUnquotedText(data: String, text: String) throws {
    let (message, defects) = try read(octets("8C 84 8D 90 96 \(data) 00 8B 'm' 00 97 \(data) 00 85 01 01"))
    #expect(message.subjectText == text)
    #expect(message[.messageID] == "m")
    #expect(message[all: .to].map(\.text) == [text])
    #expect(message[.date] == 1)
    #expect(defects == [.missingQuote, .missingQuote])
    // Before the message type too.
    let first = try read(octets("98 \(data) 00 8D 90 8C 84 96 'a' 00"))
    #expect(first.message.type == .retrieveConf)
    #expect(first.message.transactionID?.text == text)
    #expect(first.message.subjectText == "a")
    let part = try #require(retrieve([("83 8E \(data) 00 AE 01 81", "'hi'")]).parts.first)
    #expect(part.contentLocation == text)
    #expect(part.disposition != nil)
  }

  @Test func `The version may be before the message type`() throws {
    let (message, defects) = try read(octets("8D 92 8C 84 98 'T' 00 96 'a' 00"))
    #expect(message.type == .retrieveConf)
    #expect(message.version == .v12)
    #expect(message.transactionID == "T")
    #expect(defects == [])
  }

  @Test func `An empty Bcc and a stray NUL after the last header are read`() throws {
    let (message, defects) = try read(octets("8C 82 98 'T' 00 8D 90 81 00 83 'http://m/1' 00 00"))
    #expect(message[.bcc] == "")
    #expect(message[.contentLocation] == "http://m/1")
    #expect(defects == [.strayOctet])
  }

  @Test func `An error instead of a message is reported`() throws {
    let (message, _) = try read(octets("8C 84 8D 92 99 E2 9A 'Expired' 00 84 83 'no message'"))
    #expect(message[.retrieveStatus] == .permanentMessageNotFound)
    #expect(message[.retrieveStatus]?.outcome == .permanent)
    #expect(message[.retrieveText]?.text == "Expired")
    #expect(message.parts.map(\.text) == ["no message"])
    // Without any Content-Type.
    #expect(try read(octets("8C 84 98 'T' 00 8D 92 99 E2")).message.content == nil)
  }

  @Test func `An M-Retrieve.conf is read without sender, transaction and message ID`() throws {
    let (message, defects) = try read(octets("8C 84 8D 90 84 83 'x'"))
    #expect(message.transactionID == nil)
    #expect(message[.from] == nil)
    #expect(message[.messageID] == nil)
    #expect(defects == [])
    #expect(message.missingFields.map(\.description) == ["Date"])
  }

  @Test func `An M-Send.conf with an empty message ID is read`() throws {
    let message = try read(octets("8C 81 98 'T' 00 8D 90 92 80 8B 00")).message
    #expect(message[.messageID] == "")
    #expect(message[.responseStatus] == .ok)
    #expect(try read(octets("8C 81 98 'T' 00 8D 90 92 80")).message[.messageID] == nil)
  }

  @Test func `Textual headers and a transaction in a delivery report are read`() throws {
    let message = try read(
      octets("8C 86 98 'T' 00 8D 90 'Return-Path' 00 '<>' 00 8B 'm' 00 97 '+1' 00 85 01 01 95 81")
    ).message
    #expect(message.transactionID == "T")
    #expect(message.applicationHeaders("Return-Path") == ["<>"])
    #expect(message.missingFields == [])
  }

  @Test(arguments: [
    ("base64", "'SGk='", "Hi"), ("BASE64", "'SGkh' 0D 0A 'SG'", "Hi!H"), ("base64", "'SGkhS'", "Hi!"),
    ("base64", "'S G-k=' 0A", "Hi"), ("base64", "", ""), ("quoted-printable", "'a=C3=A9=' 0D 0A 'b=3d=zz='", "aéb==zz"),
    ("7bit", "'=41'", "=41"), ("x-unknown", "'SGk='", "SGk="),
  ])
  func `Transfer encodings are decoded`(encoding: String, data: String, text: String) throws {
    let part = try #require(
      retrieve([("03 83 81 EA 'Content-Transfer-Encoding' 00 '\(encoding)' 00", data)]).parts.first)
    #expect(part.text == text)
    #expect(part.body == octets(data)[...])
  }

  @Test func `A disposition with a charset is read, and a name that is a type`() throws {
    let part = try #require(
      retrieve([("9E AE 0B 81 86 'a.jpg' 00 81 EA 85 00", "FF"), ("0B 9E 85 'text/html' 00", "")]).parts.first)
    #expect(part.disposition?.kind == .attachment)
    #expect(part.name == "a.jpg")
    let named = try retrieve([("0B 9E 85 'text/html' 00", "")]).parts
    #expect(named.first?.name == "text/html")
    #expect(named.first?.contentType.mediaType == .jpeg)
  }

  @Test func `An absolute expiry in a notification is read`() throws {
    let message = try read(octets("8C 82 98 'T' 00 8D 90 88 06 80 04 65 53 F1 00")).message
    #expect(message[.expiry]?.seconds(from: 5) == 1_700_000_000)
  }

  @Test func `UTF-8 in texts without a charset is read`() throws {
    let part = try #require(retrieve([("9E 8E 7F C3 A9 '.jpg' 00", "")]).parts.first)
    #expect(part.contentLocation == "é.jpg")
    #expect(part.name == "é.jpg")
    #expect(try read(octets("8C 84 96 'caf' C3 A9 00")).message.subjectText == "café")
  }

  @Test func `Fewer parts than stated are read`() throws {
    let whole = multipart([(octets("83"), octets("'first'")), (octets("83"), octets("'second'"))])
    let head = octets("8C 84 84 A3")
    var announced = whole
    announced[0] = 9
    let missing = try read(head + announced)
    #expect(missing.message.parts.map(\.text) == ["first", "second"])
    #expect(missing.defects == [.missingParts(7)])
    let cut = try read(head + whole.dropLast(3))
    #expect(cut.message.parts.map(\.text) == ["first", "sec"])
    #expect(cut.defects == [.partCutOff])
    let inHeaders = try read(head + octets("01 05 05 83 C0 22"))
    #expect(inHeaders.message.parts.map(\.body.count) == [0])
    let more = try read(head + whole + [1, 2, 3])
    #expect(more.message == (try MMSMessage(decoding: head + whole)))
    #expect(more.defects == [.trailingOctets(3)])
    let huge = try read(head + octets("8F FF FF FF 7F 01 8F FF FF FF 7F 83 'x'"))
    #expect(huge.message.parts.map(\.text) == ["x"])
    #expect(try read(head).message.parts == [])
  }

  @Test func `Another order of headers is read`() throws {
    let message = try read(octets("96 'hello' 00 8D 92 98 'T' 00 85 01 05 8C 84 84 83 'x'")).message
    #expect(message.type == .retrieveConf)
    #expect(message.transactionID == "T")
    #expect(message.version == .v12)
    #expect(message.subjectText == "hello")
    #expect(message.parts.map(\.text) == ["x"])
    // The form of a value depends on the type that comes behind it.
    let late = try read(octets("93 04 82 'ab' 00 8C 95"))
    #expect(late.message.fields.first?.value == .counted(2, .encodedString("ab")))
  }

  @Test func `Of repeated fields that may occur once, one counts`() throws {
    let (message, defects) = try read(octets("8C 84 8C 80 98 'a' 00 98 'b' 00 8D 92 8D 90"))
    #expect(message.type == .retrieveConf)
    #expect(message.transactionID == "a")
    #expect(message.version == .v12)
    #expect(defects == [.repeatedField, .repeatedField, .repeatedField])
  }

  @Test func `A newer version is read, and a newer major one is reported`() throws {
    #expect(try read(octets("8C 82 8D 9F")).message.version?.isKnown == true)
    #expect(try read(octets("8C 82 8D A0")).message.version?.isKnown == false)
    let broken = try read(octets("8C 82 8D '1.0' 00"))
    #expect(broken.message.version == nil)
    #expect(broken.defects == [.malformedValue])
  }

  @Test func `A multipart inside a part is read`() throws {
    let inner = multipart([(octets("83"), octets("'plain'")), (octets("82"), octets("'<b>'"))])
    let body = multipart([(octets("A6"), inner), (octets("9E"), [1])])
    let message = try read(octets("8C 84 84 A3") + body).message
    #expect(message.parts.first?.parts?.map(\.text) == ["plain", "<b>"])
    #expect(message.parts.last?.parts == nil)
  }
}
