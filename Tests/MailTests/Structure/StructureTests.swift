internal import Mail
internal import MediaModel
internal import Testing

@Suite struct StructureTests {
  static let nested = mail(
    "Subject: =?utf-8?Q?caf=C3=A9?=", "From: \"Doe, Ana\" <ana@example.org>, b@example.org", "Message-ID: <1@x>",
    "Content-Type: multipart/mixed;", " boundary=\"out\"", "", "preamble", "--out",
    "Content-Type: multipart/alternative; boundary=in", "",
    "--in", "", "Hello", "--in", "Content-Type: text/html", "", "<p>Hello", "--in--", "--out",
    "Content-Type: message/rfc822", "",
    "Subject: inner", "Content-Type: multipart/mixed; boundary=deep", "", "--deep", "", "one", "two", "--deep--", "",
    "--out", "Content-Type: application/pdf; name=a.pdf", "Content-Transfer-Encoding: base64",
    "Content-Disposition: attachment", "",
    "SGVs", "bG8=", "--out--", "epilogue")

  @Test func `Parts have their sections and parents`() {
    let structure = MailStructure(message: Self.nested)
    #expect(
      structure.outline == [
        "TEXT multipart/mixed", "1 multipart/alternative", "1.1 text/plain", "1.2 text/html", "2 message/rfc822",
        "2.TEXT multipart/mixed", "2.1 text/plain", "3 application/pdf",
      ])
    #expect(structure.parts.map(\.parent) == [nil, 0, 1, 1, 0, 4, 5, 0])
    #expect(structure.attachedMessage(containing: 6) == 4)
    #expect(structure.attachedMessage(containing: 7) == nil)
    #expect(structure.position(ofSection: "3") == 7)
  }

  @Test func `Headers are decoded`() {
    let structure = MailStructure(message: Self.nested)
    #expect(structure.header?.subject == "café")
    #expect(structure.header?.from == ["\"Doe, Ana\" <ana@example.org>", "b@example.org"])
    #expect(structure.header?.messageID == "1@x")
    #expect(structure.parts[4].message?.subject == "inner")
  }

  @Test func `Sizes and ranges are exact`() throws {
    let structure = MailStructure(message: Self.nested)
    let part = structure.parts[7]
    #expect(part.octets == 10)
    #expect(part.decodedSize == .exact(5))
    #expect(part.name == "a.pdf")
    #expect(part.disposition == "attachment")
    #expect(Self.nested[try #require(part.bodyRange)].elementsEqual("SGVs\r\nbG8=".utf8))
    // As in BODYSTRUCTURE: line breaks of the body, without the one that belongs to the boundary.
    #expect(structure.parts[2].lines == 0)
    #expect(structure.parts[6].lines == 1)
  }

  @Test func `A mail without anything has one part`() {
    #expect(MailStructure(message: []).outline == ["1 text/plain"])
    #expect(MailStructure(message: Array("\r\n".utf8)).outline == ["1 text/plain"])
  }

  @Test(
    "Malformed lines before a header are skipped",
    arguments: [
      (" Subject: x", "1 image/png"), ("From ana Mon Jan 1 2026", "1 image/png"), ("no header line", "1 image/png"),
    ])
  func malformedLinesBeforeAHeaderAreSkipped(first: String, outline: String) {
    #expect(MailStructure(message: mail(first, "Content-Type: image/png", "", "x")).outline == [outline])
  }

  @Test func `A malformed line inside a header costs that line only`() {
    let structure = MailStructure(
      message: mail("Content-Type", "x-other: a", "Content-Disposition: attachment; filename=a.pdf", "", "x"))
    #expect(structure.parts[0].name == "a.pdf")
    #expect(structure.parts[0].octets == 1)
  }

  @Test("A boundary after a header without an empty line begins a part", arguments: ["", " ", "no header line"])
  func aBoundaryAfterAHeaderWithoutAnEmptyLineBeginsAPart(last: String) {
    let lines = ["Content-Type: multipart/mixed; boundary=b"] + (last.isEmpty ? [] : [last])
    let bytes = mail(lines.joined(separator: "\r\n"), "--b", "Content-Type: image/png", "", "x", "--b--", "")
    #expect(MailStructure(message: bytes).outline == ["TEXT multipart/mixed", "1 image/png"])
  }

  @Test func `A line without a field's name is not the body`() throws {
    let bytes = mail("Subject: x", ": crash", "", "text")
    let range = try #require(MailStructure(message: bytes).parts[0].bodyRange)
    #expect(String(decoding: bytes[range], as: UTF8.self) == "text")
  }

  @Test func `A boundary that the end of the mail cuts begins no part`() {
    let bytes = mail("Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: image/png", "", "x", "--b")
    let structure = MailStructure(message: bytes)
    #expect(structure.outline == ["TEXT multipart/mixed", "1 image/png"])
    #expect(structure.parts[1].octets == 1)
    let ended = MailStructure(message: bytes + Array("\r\n".utf8))
    #expect(ended.outline == ["TEXT multipart/mixed", "1 image/png", "2 text/plain"])
  }

  @Test func `A body without an empty line begins where the header ends`() throws {
    let bytes = mail("Subject: x", "Hello you", "", "more")
    let range = try #require(MailStructure(message: bytes).parts[0].bodyRange)
    #expect(String(decoding: bytes[range], as: UTF8.self) == "Hello you\r\n\r\nmore")
  }

  @Test("A multipart without parts is text", arguments: ["multipart/mixed", "multipart/mixed; boundary=never"])
  func aMultipartWithoutPartsIsText(type: String) {
    let structure = MailStructure(message: mail("Content-Type: \(type)", "", "Hello"))
    #expect(structure.outline == ["1 text/plain"])
    #expect(structure.roles == ["1 body"])
    #expect(structure.parts[0].octets == 5)
  }

  @Test func `A part without an end reaches the end of its container`() {
    let structure = MailStructure(
      message: mail(
        "Content-Type: multipart/mixed; boundary=a", "", "--a", "Content-Type: multipart/mixed; boundary=b", "", "--b",
        "", "x", "--a",
        "Content-Type: image/png", "", "y"))
    #expect(structure.outline == ["TEXT multipart/mixed", "1 multipart/mixed", "1.1 text/plain", "2 image/png"])
    #expect(structure.parts[2].octets == 1)
  }

  @Test func `A boundary that begins with another is not the other`() {
    let structure = MailStructure(
      message: mail(
        "Content-Type: multipart/mixed; boundary=a", "", "--a", "Content-Type: multipart/mixed; boundary=ab", "",
        "--ab", "", "x", "--ab--",
        "--a  ", "", "y", "--a--"))
    #expect(structure.outline == ["TEXT multipart/mixed", "1 multipart/mixed", "1.1 text/plain", "2 text/plain"])
  }

  @Test func `An encoded message is one attached message`() {
    let structure = MailStructure(
      message: mail("Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "", "U3ViamVjdDogeA=="))
    #expect(structure.outline == ["1 message/rfc822"])
    #expect(structure.roles == ["1 attachedMessage"])
    #expect(structure.parts[0].decodedSize == .exact(10))
  }

  @Test func `Parts of a digest are messages`() {
    let structure = MailStructure(
      message: mail("Content-Type: multipart/digest; boundary=a", "", "--a", "", "Subject: one", "", "x", "--a--"))
    #expect(structure.outline == ["TEXT multipart/digest", "1 message/rfc822", "1.1 text/plain"])
    #expect(structure.parts[1].message?.subject == "one")
  }

  @Test func `A structure is codable`() throws {
    let structure = MailStructure(message: Self.nested)
    #expect(structure.hashValue == MailStructure(message: Self.nested[...]).hashValue)
    #expect(structure == MailStructure(message: Self.nested.reversed().reversed() as [UInt8]))
  }
}
