internal import MMSCodec
internal import TestSupport
internal import Testing

@Suite struct MessageTests {
  @Test func `Setting a field keeps its position`() {
    var message = MMSMessage(.sendReq)
    message[.to] = "a"
    message[.subject] = "one"
    message[.priority] = .low
    message[.subject] = "two"
    #expect(message.fields.map(\.name.description) == ["To", "Subject", "X-Mms-Priority"])
    #expect(message[.subject] == "two")
    message[all: .to] = ["b", "c"]
    #expect(message[all: .to].map(\.text) == ["b", "c"])
    #expect(message.fields.count == 4)
    #expect(message.fields.map(\.name.description) == ["To", "To", "Subject", "X-Mms-Priority"])
    message[.to] = nil
    #expect(message[.to] == nil)
    #expect(message.fields.count == 2)
    message[.messageClass] = .text("x")
    message[.messageClass] = .auto
    #expect(message[.messageClass] == .auto)
  }

  @Test func `A message begins with type, transaction and version, and ends with its content`() throws {
    var message = MMSMessage(.sendReq, transactionID: "T", version: .v12)
    message[.from] = .insertAddress
    message.content = MMSMessage.Content(type: ContentType("text/plain"), octets: [0x68, 0x69])
    message[.subject] = "s"
    #expect(try message.encoded() == octets("8C 80 98 'T' 00 8D 92 89 01 81 96 's' 00 84 83 'hi'"))
  }

  @Test func `Missing fields are reported`() {
    func missing(_ type: MMSMessage.MessageType) -> [String] {
      MMSMessage(type, version: nil).missingFields.map(\.description)
    }
    #expect(missing(.sendReq) == ["X-Mms-Transaction-ID", "X-Mms-MMS-Version", "Content-Type", "From", "To"])
    #expect(
      missing(.notificationInd) == [
        "X-Mms-Transaction-ID", "X-Mms-MMS-Version", "X-Mms-Message-Class", "X-Mms-Message-Size", "X-Mms-Expiry",
        "X-Mms-Content-Location",
      ])
    #expect(missing(.deliveryInd) == ["X-Mms-MMS-Version", "Message-ID", "To", "Date", "X-Mms-Status"])
    #expect(missing(.retrieveConf) == ["X-Mms-MMS-Version", "Content-Type", "Date"])
    var cc = MMSMessage(.sendReq, transactionID: "T", content: MMSMessage.Content(type: ContentType("a/b"), octets: []))
    cc[.from] = .insertAddress
    cc[.bcc] = "x"
    #expect(cc.missingFields.isEmpty)
    for type in MMSMessage.MessageType.allCases { #expect(!missing(type).isEmpty, "\(type)") }
  }

  @Test func `An unassigned status is handled as the specification requires`() {
    // OMA-TS-MMS-ENC §7.3.48.
    func resolved(_ octet: UInt8) -> UInt8 { MMSMessage.ResponseStatus(rawValue: octet).resolved.rawValue }
    #expect((0x81...0x88).allSatisfy { resolved($0) == $0 })
    #expect((0xC0...0xC4).allSatisfy { resolved($0) == $0 })
    #expect((0xE0...0xEB).allSatisfy { resolved($0) == $0 })
    #expect(resolved(0x80) == 0x80)
    #expect((0xC5...0xDF).allSatisfy { resolved($0) == 0xC0 })
    #expect((0x89...0xBF).allSatisfy { resolved($0) == 0xE0 })
    #expect((0xEC...0xFF).allSatisfy { resolved($0) == 0xE0 })
    #expect(MMSMessage.RetrieveStatus(rawValue: 0xC3).resolved == .transientFailure)
    #expect(MMSMessage.RetrieveStatus(rawValue: 0xE4).resolved == .permanentFailure)
    #expect(MMSMessage.RetrieveStatus(rawValue: 0x81).resolved == .permanentFailure)
    #expect(MMSMessage.StoreStatus(rawValue: 0xC2).resolved == .transientFailure)
    #expect(MMSMessage.StoreStatus.permanentMailboxFull.resolved == .permanentMailboxFull)
    #expect(MMSMessage.ResponseStatus(rawValue: 0xC9).outcome == .transient)
    #expect(MMSMessage.ResponseStatus(rawValue: 0x90).outcome == .permanent)
    #expect(MMSMessage.ResponseStatus.ok.outcome == .ok)
  }

  @Test(arguments: [
    ("+15551234/TYPE=PLMN", "+15551234", MMSAddress.Kind.phone), ("10.0.0.1/TYPE=IPv4", "10.0.0.1", .ipv4),
    ("FE80::1/TYPE=IPv6", "FE80::1", .ipv6), ("joe/user@example.org", "joe/user@example.org", .email),
    ("12345", "12345", .other), ("+1/type=plmn", "+1", .phone), ("a/TYPE=ALIAS", "a", .typed("ALIAS")),
    ("", "", .other),
    ("/TYPE=PLMN", "", .phone), ("a/b", "a/b", .other), ("a/team", "a/team", .other),
  ])
  func `Only the type suffix of an address is removed`(text: String, value: String, kind: MMSAddress.Kind) {
    let address = MMSAddress(fieldText: text)
    #expect(address == MMSAddress(value, kind: kind))
    #expect(address.fieldText.lowercased() == text.lowercased())
  }

  @Test func `Versions are ordered`() {
    #expect(MMSMessage.Version.v10 < .v13)
    #expect(MMSMessage.Version.v13.description == "1.3")
    #expect(MMSMessage.Version(major: 8, minor: 0) == nil)
    #expect(MMSMessage.Version(major: 1, minor: 16) == nil)
  }
}
