internal import Encodings
internal import MMSCodec
internal import TestSupport
internal import Testing

/// Each field's value in its forms, OMA-TS-MMS-ENC 1.3 §7.3, octet by octet: read, and written again as the same octets.
@Suite struct FieldValueTests {
  private func field(_ text: String, in type: MMSMessage.MessageType = .sendReq) throws -> MMSMessage {
    let pdu = [0x8C, type.rawValue] + octets(text)
    let message = try MMSMessage(decoding: pdu)
    #expect(try message.encoded() == pdu, "\(text)")
    return message
  }

  @Test("Texts are read") func texts() throws {
    #expect(try field("81 'a@b.c' 00")[.bcc]?.text == "a@b.c")
    #expect(try field("82 05 EA 7F C3 A9 00")[.cc]?.text == "é")
    #expect(try field("97 '+15551234/TYPE=PLMN' 00")[.to]?.address == MMSAddress("+15551234", kind: .phone))
    #expect(try field("96 09 EA 7F E6 97 A5 E6 9C AC 00")[.subject]?.text == "日本")
    #expect(try field("83 'http://mmsc/1' 00")[.contentLocation] == "http://mmsc/1")
    #expect(try field("8B 'id' 00")[.messageID] == "id")
    #expect(try field("93 'why' 00")[.responseText]?.text == "why")
    #expect(try field("9A 'why' 00")[.retrieveText]?.text == "why")
    #expect(try field("9E 'r' 00")[.replyChargingID] == "r")
    #expect(try field("A6 's' 00")[.storeStatusText]?.text == "s")
    #expect(try field("B5 's' 00")[.recommendedRetrievalModeText]?.text == "s")
    #expect(try field("B6 's' 00")[.statusText]?.text == "s")
    #expect(try field("B7 'a' 00 B8 'b' 00 B9 'c' 00")[.replyApplicationID] == "b")
    #expect(try field("BD 'a' 00 BE 'b' 00")[.cancelID] == "b")
  }

  @Test func `Numbers and times are read`() throws {
    #expect(try field("85 04 65 53 F1 00")[.date] == 1_700_000_000)
    #expect(try field("8E 03 01 00 00")[.messageSize] == 65_536)
    #expect(try field("9F 01 00")[.replyChargingSize] == 0)
    #expect(try field("AD 8A")[.messageCount] == 10)
    #expect(try field("AF 02 01 00")[.start] == 256)
    #expect(try field("B3 80")[.limit] == 0)
    #expect(try field("88 05 81 03 03 F4 80")[.expiry] == .relative(259_200))
    #expect(try field("88 06 80 04 65 53 F1 00")[.expiry] == .absolute(1_700_000_000))
    #expect(try field("87 03 81 01 00")[.deliveryTime] == .relative(0))
    #expect(try field("9D 03 81 01 3C")[.replyChargingDeadline] == .relative(60))
    // A Date as a Short-integer is no Long-integer, and is understood.
    #expect(try MMSMessage(decoding: octets("8C 84 85 83"))[.date] == 3)
  }

  @Test func `A relative time counts from now`() {
    #expect(MMSField.Time.relative(60).seconds(from: 100) == 160)
    #expect(MMSField.Time.absolute(60).seconds(from: 100) == 60)
    #expect(MMSField.Time.relative(.max).seconds(from: 100) == nil)
  }

  @Test func `Tokens are read`() throws {
    #expect(try field("86 80 90 81 91 80")[.deliveryReport] == true)
    #expect(try field("86 80 90 81 91 80")[.readReport] == false)
    #expect(try field("91 81")[.reportAllowed] == false)
    #expect(try field("8F 82")[.priority] == .high)
    #expect(try field("8A 81")[.messageClass] == .advertisement)
    #expect(try field("8A 'vendor' 00")[.messageClass] == .text("vendor"))
    #expect(try field("94 80")[.senderVisibility] == .hide)
    #expect(try field("95 83")[.status] == .deferred)
    #expect(try field("9B 81")[.readStatus] == .deletedUnread)
    #expect(try field("9C 83")[.replyCharging] == .acceptedTextOnly)
    #expect(try field("A2 80 A7 81 A9 80 AB 81")[.stored] == false)
    #expect(try field("A3 84")[.mailboxState] == .forwarded)
    #expect(try field("B1 80 BB 81 BC 80")[.drmContent] == false)
    #expect(try field("B4 80")[.recommendedRetrievalMode] == .manual)
    #expect(try field("BA 85")[.contentClass] == .megapixel)
    #expect(try field("BF 81")[.cancelStatus] == .corrupted)
    // A token of a later version is kept.
    #expect(try field("95 BF")[.status] == MMSMessage.Status(rawValue: 0xBF))
  }

  @Test func `The sender is read`() throws {
    #expect(try field("89 01 81")[.from] == .insertAddress)
    #expect(try field("89 05 80 'a@b' 00")[.from] == .address("a@b"))
    #expect(try field("89 09 80 07 EA 7F C3 A9 '@b' 00")[.from] == .address("é@b"))
  }

  @Test func `Values that follow a number are read`() throws {
    let before = try field("A0 04 81 'ab' 00 A1 06 81 04 65 53 F1 00")
    #expect(before.fields.map(\.value) == [.counted(1, .encodedString("ab")), .counted(1, .integer(1_700_000_000))])
    let deleted = try field("92 02 81 80 83 04 82 'ab' 00 93 05 83 03 EA 'a' 00", in: .deleteConf)
    #expect(
      deleted.fields.map(\.value) == [
        .counted(1, .token(0x80)), .counted(2, .text("ab")),
        .counted(3, .encodedString(EncodedString(octets: [0x61], charset: .utf8))),
      ])
    #expect(deleted[.responseStatus] == .ok)
    #expect(deleted[.contentLocation] == "ab")
    #expect(deleted[.responseText]?.text == "a")
    // In an answer about one message the same octets are a charset and a text.
    #expect(try field("93 03 83 'a' 00")[.responseText] == EncodedString(octets: [0x61], charset: .usASCII))
  }

  @Test func `Mailbox fields are read`() throws {
    let message = try field(
      "A4 05 80 'new' 00 AA 03 80 01 80 AC 04 81 02 10 00 A8 97 A8 89 B2 09 'a' 00 85 'b.jpg' 00", in: .mboxViewReq)
    #expect(
      message.fields.map(\.value) == [
        .keywords(0x80, "new"), .amount(0x80, 128), .amount(0x81, 4_096), .token(0x97), .token(0x89),
        .element("a", [WSPHeader.Parameter(.name, "b.jpg")]),
      ])
    let nested = try field("AE 06 8B 'id' 00 8F 82 B0 04 'X' 00 'y' 00", in: .mboxDescr)
    #expect(
      nested.fields.map(\.value) == [
        .fields([
          MMSField(MMSField.Key<TextString>.messageID.name, .text("id")),
          MMSField(MMSField.Key<MMSMessage.Priority>.priority.name, .token(0x82)),
        ]),
        .fields([MMSField(application: "X", "y")]),
      ])
    // Fields inside fields inside fields stay octets: nothing is as deep as a message wants.
    #expect(try field("AE 03 AE 01 80").fields.map(\.value) == [.opaque([0x03, 0xAE, 0x01, 0x80])])
  }

  @Test func `Application headers keep their position and order`() throws {
    let message = try field("'Return-Path' 00 '<a@b>' 00 8F 80 'X-Scanned-By' 00 'c' 00 'X-Scanned-By' 00 00")
    #expect(
      message.fields.map(\.name.description) == ["Return-Path", "X-Mms-Priority", "X-Scanned-By", "X-Scanned-By"])
    #expect(message.applicationHeaders("x-scanned-by") == ["c", ""])
  }

  @Test func `An unknown field is kept`() throws {
    let message = try field("C0 80 C1 02 AA BB C2 'x' 00 FF 1F 20 " + String(repeating: "55", count: 32))
    #expect(message.fields.count == 4)
    #expect(message.fields.map(\.name.description) == ["0xC0", "0xC1", "0xC2", "0xFF"])
  }

  @Test func `A value of another syntax is kept and reported`() throws {
    let pdu = octets("8C 84 85 'yesterday' 00 88 01 80 8F 'high' 00 96 03 EA 00 00")
    var defects: [MMSMessage.Defect] = []
    let message = try MMSMessage(decoding: pdu[...], defects: &defects)
    #expect(message[.date] == nil)
    #expect(message[.expiry] == nil)
    #expect(message[.priority] == nil)
    #expect(message[.subject]?.text == "")
    #expect(defects.map(\.kind) == [.malformedValue, .malformedValue, .malformedValue])
    #expect(defects.map(\.offset) == [2, 13, 16])
    #expect(try MMSMessage(decoding: message.encoded()) == message)
  }
}
