internal import MMSCodec
internal import TestSupport
internal import Testing

/// What we write is what Wireshark reads.
@Suite(.enabled(if: Dissector.isPresent, "tshark is not installed"))
struct DissectorTests {
  @Test func `The dissector accepts every message`() throws {
    let messages = SampleMessages.all
    let found = try Dissector.fields(
      [
        "mmse.message_type", "mmse.transaction_id", "mmse.mms_version", "mmse.subject", "mmse.to", "mmse.cc",
        "mmse.from",
        "mmse.message_id", "mmse.content_location", "mmse.message_size", "mmse.status", "mmse.read_status",
        "mmse.priority", "mmse.delivery_report", "mmse.expiry.rel", "mmse.response_status", "mmse.header.uint",
      ], of: messages.map { try $0.encoded() })
    try #require(found.count == messages.count)
    for (message, fields) in zip(messages, found) {
      let name = Comment(rawValue: message.type.name)
      func token(_ value: UInt8?) -> [String] { value.map { ["0x" + String($0, radix: 16)] } ?? [] }
      #expect(fields["_ws.malformed"] == [], name)
      #expect(fields["_ws.lua.text"] == [], name)
      #expect(fields["mmse.message_type"] == token(message.type.rawValue), name)
      #expect(fields["mmse.transaction_id"] == (message.transactionID.map { [$0.text] } ?? []), name)
      #expect(fields["mmse.mms_version"] == ["1.3"], name)
      #expect(fields["mmse.subject"] == (message[.subject].map { [$0.text] } ?? []), name)
      #expect(fields["mmse.to"] == message[all: .to].map(\.text), name)
      #expect(fields["mmse.cc"] == message[all: .cc].map(\.text), name)
      #expect(fields["mmse.message_id"] == (message[.messageID].map { [$0.text] } ?? []), name)
      #expect(fields["mmse.content_location"] == (message[.contentLocation].map { [$0.text] } ?? []), name)
      #expect(fields["mmse.message_size"] == (message[.messageSize].map { ["\($0)"] } ?? []), name)
      #expect(fields["mmse.status"] == token(message[.status]?.rawValue), name)
      #expect(fields["mmse.read_status"] == token(message[.readStatus]?.rawValue), name)
      #expect(fields["mmse.priority"] == token(message[.priority]?.rawValue), name)
      if case .relative(let seconds)? = message[.expiry] {
        #expect(fields["mmse.expiry.rel"] == ["\(seconds).000000000"], name)
      }
      if case .address(let address)? = message[.from] { #expect(fields["mmse.from"] == [address.text], name) }
    }
  }

  @Test func `Every assigned type has the name of the dissector`() throws {
    // It ends at 0x4D, and calls two by the names that WINA has since changed.
    let numbers = (0...0x4D).filter { $0 != 0x0A && $0 != 0x16 }
    let pdus = numbers.map { number in octets("8C 84 84") + [0x80 | UInt8(number)] + (number == 0x22 ? [0] : []) }
    let found = try Dissector.fields(["wsp.header.content_type"], of: pdus)
    try #require(found.count == pdus.count)
    for (pdu, fields) in zip(pdus, found) {
      let name = try MMSMessage(decoding: pdu).content?.type.media
      guard case .name(let name) = name else {
        Issue.record("\(pdu) has no name")
        continue
      }
      #expect(fields["wsp.header.content_type"] == [name.text], "\(pdu)")
    }
  }

  @Test func `Parts and parameters are dissected`() throws {
    let message = SampleMessages.message(.retrieveConf)
    let found = try Dissector.fields(
      [
        "wsp.header.content_type", "wsp.header.content_location", "wsp.header.content_id", "wsp.parameter.name",
        "wsp.parameter.start", "wsp.parameter.upart.type", "wsp.parameter.charset",
      ], of: [message.encoded()])
    let fields = try #require(found.first)
    #expect(fields["wsp.parameter.start"] == ["<smil>"])
    let names = message.parts.compactMap(\.name)
    #expect(names.count == 4)
    #expect(fields["wsp.parameter.name"] == names)
    #expect(fields["wsp.header.content_location"] == names)
  }
}
