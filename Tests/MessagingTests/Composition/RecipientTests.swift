internal import MMSCodec
internal import Messaging
internal import Testing

/// Who a message goes to.
@Suite struct RecipientTests {
  @Test("R-MMS-3: the list keeps duplicates, and each is sent to once")
  func sendList() {
    let message = MessageComposition.text("a", to: "123456", " 123456 ", "+123456", "nobody", "a@b.de", "")
    #expect(message.recipients.count == 6)
    #expect(message.sendList == ["123456", "+123456", "a@b.de"])
    #expect(message.usedAddresses.contains("nobody"))
    #expect(message.invalidRecipients.map(\.address) == ["nobody", ""])
  }

  @Test("R-MMS-4: an address is used for as long as an entry of the list has it") func usedAddresses() {
    var message = MessageComposition.text("a", to: "123456", "nobody", "123456")
    #expect(message.usedAddresses == ["123456", "nobody"])
    _ = message.setRecipients(Array(message.recipients.dropFirst()), under: CarrierProfile())
    #expect(message.usedAddresses == ["123456", "nobody"], "the other entry still has it")
    _ = message.setRecipients(message.recipients.filter { $0.address != "123456" }, under: CarrierProfile())
    #expect(message.usedAddresses == ["nobody"])
    _ = message.setRecipients([], under: CarrierProfile())
    #expect(message.usedAddresses.isEmpty)
  }

  @Test("R-MMS-5: the header counts distinct people")
  func header() {
    #expect(MessageComposition.text("a").header == .newMessage)
    #expect(MessageComposition.text("a").header.text == "New Message")
    #expect(MessageComposition.text("a", to: "12345", "12345").header.text == "1 recipient")
    #expect(MessageComposition.text("a", to: "12345", "54321").header.text == "2 recipients")
  }

  @Test(
    "R-MMS-2: a typed entry is a number, an e-mail address, or a contact",
    arguments: [
      ("123", true), ("+49 30 1", true), ("abc", false), ("a@b", true), ("@b", false), ("a@", false), ("a@b@c", false),
      ("+", false), ("", false), ("(555) 1", false), ("a b@c", false),
    ])
  func validity(address: String, isValid: Bool) {
    #expect(MessageRecipient(address).isValid == isValid)
    #expect(MessageRecipient(address, isContact: true).isValid == !address.isEmpty)
  }

  @Test(
    "R-MMS-2: an address has no control characters",
    arguments: ["\r\n", "\n", "\r", "\0", "\t", "\u{1B}", "\u{85}"])
  func controlCharacters(text: String) {
    #expect(!MessageRecipient("+15551234567\(text)Bcc: a").isValid)
    #expect(!MessageRecipient("+15551234567\(text)Bcc: a", isContact: true).isValid)
  }

  @Test("R-MMS-2: the type of a phone number is no part of the address, and a message adds it once")
  func typeOfNumber() throws {
    #expect(MessageRecipient(" +15551234567/TYPE=PLMN ") == MessageRecipient("+15551234567"))
    #expect(MessageRecipient("+15551234567/type=plmn").isValid)
    let message = MessageComposition.text("a", to: "+15551234567/TYPE=PLMN", "+15551234567")
    #expect(message.sendList == ["+15551234567"])
    let request = try message.sendRequest(.init(transactionID: "T", date: 1_000)) { _ in [] }
    #expect(request[all: .to].map(\.text) == ["+15551234567/TYPE=PLMN"])
  }

  @Test(
    "R-MMS-2: an address with another type, or with two, is not valid",
    arguments: [
      "+15551234567/TYPE=IPv4", "10.0.0.1/TYPE=IPv4", "1::2/type=ipv6", "12345/TYPE=ALIAS", "a@b.de/TYPE=IPv4",
      "+15551234567/TYPE=PLMN/TYPE=PLMN", "+15551234567/TYPE=IPv4/TYPE=PLMN", "+15551234567/TYPE=IPv4/x", "/TYPE=PLMN",
      "1/TYPE=",
    ])
  func otherTypes(address: String) {
    #expect(!MessageRecipient(address).isValid)
    #expect(!MessageRecipient(address, isContact: true).isValid)
  }

  @Test("R-MMS-2: a slash is no type", arguments: ["joe/user@example.org", "1234/5", "1/typed"])
  func slashes(address: String) {
    #expect(MessageRecipient(address).address == address)
    #expect(MessageRecipient(address).isValid)
  }

  @Test("R-MMS-2: an address has at most 312 characters")
  func longAddress() {
    #expect(MessageRecipient(String(repeating: "1", count: 312)).isValid)
    #expect(!MessageRecipient(String(repeating: "1", count: 313)).isValid)
  }

  @Test(
    "Two entries are one person if their last seven digits are equal (A34)",
    arguments: [
      ("+4930 1234567", "030-1234567", true), ("1234567", "2234567", false), ("12345", "12345", true),
      ("2345", "12345", false),
      ("a@b.de", "a@b.de", true), ("a@b.de", "A@b.de", false), ("Bank", "Bank", true), ("Bank", "Shop", false),
      ("1234567", "a1234567@b.de", false),
    ])
  func samePerson(one: String, other: String, isSame: Bool) {
    #expect(MessageRecipient(one).isSame(as: MessageRecipient(other)) == isSame)
    #expect(MessageRecipient(other).isSame(as: MessageRecipient(one)) == isSame)
  }

  @Test("A34: groups are equal in any order, and differ with one more member")
  func groups() {
    let a = MessageRecipient("+491234567")
    let b = MessageRecipient("b@c.de")
    #expect(MessageRecipient.areSame([a, b], [b, MessageRecipient("1234567")]))
    #expect(!MessageRecipient.areSame([a, b], [a, a]))
    #expect(!MessageRecipient.areSame([a, b], [a, b, b]))
  }
}
