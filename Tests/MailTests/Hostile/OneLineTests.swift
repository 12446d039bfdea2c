internal import Mail
internal import Testing

/// What is displayed or becomes a field of an answer is one line: encoded words, extended parameters and literals may contain any octet.
@Suite struct OneLineTests {
  @Test("Texts of a header have no control characters") func header() {
    let structure = MailStructure(
      message: mail(
        "Subject: =?utf-8?Q?a=0D=0ABcc:_b@example.org=00=1B[31m?=",
        "From: =?utf-8?B?QQ0KQg==?= <a@example.org>, \u{7}b@example.org", "Message-ID: <a\u{0}b>",
        "Date: Mon\u{1}day", "", ""))
    #expect(structure.header?.subject == "a  Bcc: b@example.org\u{FFFD}\u{FFFD}[31m")
    #expect(structure.header?.from == ["A  B <a@example.org>", "\u{FFFD}b@example.org"])
    #expect(structure.header?.messageID == "a\u{FFFD}b")
    #expect(structure.header?.date == "Mon\u{FFFD}day")
  }

  @Test(
    "A file name has no control characters",
    arguments: [
      ("name=\"=?utf-8?Q?a=0D=0Ab=00.png?=\"", "a  b\u{FFFD}.png"), ("name*=utf-8''a%0Ab%C2%85.png", "a b\u{FFFD}.png"),
      ("name*0*=utf-8''a%0D; name*1=b", "a b"), ("name=\"a\tb é\"", "a\tb é"),
      ("name*=utf-8''..%2F..%2Fetc%2Fpasswd%00.png", "../../etc/passwd\u{FFFD}.png"),
    ])
  func names(parameter: String, name: String) {
    #expect(MailStructure(message: mail("Content-Type: image/png; \(parameter)", "", "x")).parts[0].name == name)
  }

  @Test func `A BODYSTRUCTURE with line breaks in literals has texts of one line`() {
    let envelope =
      "({6}\r\nM\r\non\0 {6}\r\na\r\nb\0c ((NIL NIL {4}\r\na\r\nb {3}\r\nx\r\n)) NIL NIL NIL NIL NIL NIL {5}\r\n<\r\na>)"
    let line =
      "(\"message\" \"rfc822\" NIL NIL NIL \"7bit\" 9 \(envelope) (\"image\" \"png\" (\"name\" {4}\r\na\r\nb) NIL NIL \"7bit\" 1) 1)"
    let structure = MailStructure(bodyStructure: Array(line.utf8))
    #expect(structure.parts[0].message?.date == "M  on\u{FFFD}")
    #expect(structure.parts[0].message?.subject == "a  b\u{FFFD}c")
    #expect(structure.parts[0].message?.from == ["a  b@x  "])
    #expect(structure.parts[0].message?.messageID == "  a")
    #expect(structure.parts[1].name == "a  b")
  }

  @Test func `Names and subjects of embedded files have no control characters`() {
    var stream = StreamMaker()
    stream.describe([(0x0037, .text("a\r\nb"))])
    stream.attach(name: "c\nd.txt", Array("x".utf8))
    let bytes = mail("Content-Type: application/ms-tnef", "", "") + stream.octets
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    #expect(structure.parts.map(\.name) == [nil, "c d.txt"])
    let text = mail("", "begin 644 a\rb.txt", "#0V%T", "`", "end", "")
    structure = MailStructure(message: text)
    structure.addEmbeddedParts(in: text)
    #expect(structure.parts.map(\.name) == [nil, "a b.txt"])
  }
}
