internal import Mail
internal import Testing

/// A mail that another reader cuts elsewhere hides parts from one of them.
@Suite struct BoundaryTests {
  @Test("A boundary is compared as it is written", arguments: ["=?utf-8?Q?b?=", "a'b()+_,-./:=?", "é"])
  func asWritten(boundary: String) {
    let bytes = mail(
      "Content-Type: multipart/mixed; boundary=\"\(boundary)\"", "", "--\(boundary)", "Content-Type: text/html", "",
      "x", "--\(boundary)--", "")
    #expect(MailStructure(message: bytes).outline == ["TEXT multipart/mixed", "1 text/html"])
  }

  @Test func `A boundary of octets without a charset is compared as it is written`() {
    // ISO-8859-1, not UTF-8.
    let head = Array("Content-Type: multipart/mixed; boundary=\"".utf8) + [0xE9] + Array("\"\n\n--".utf8)
    let bytes = head + [0xE9] + Array("\nContent-Type: text/html\n\nx\n--".utf8) + [0xE9] + Array("--\n".utf8)
    #expect(MailStructure(message: bytes).outline == ["TEXT multipart/mixed", "1 text/html"])
  }

  @Test(
    "Of a boundary with spaces but no quotes, the lines decide whether it ends before the first space",
    arguments: [
      ("b c", "b c", 2), ("b c", "b", 2), ("b (comment)", "b", 2), ("b\r\n\t--b", "b", 2), ("\"b c\"", "b c", 2),
      ("\"b c\"", "b", 1),
    ])
  func spaces(boundary: String, line: String, parts: Int) {
    let bytes = mail(
      "Content-Type: multipart/mixed; boundary=\(boundary)", "", "--\(line)", "Content-Type: text/html", "", "x",
      "--\(line)--", "")
    #expect(MailStructure(message: bytes).parts.count == parts)
  }

  @Test func `After the first line with a boundary, another form of it is text`() {
    let bytes = mail(
      "Content-Type: multipart/mixed; boundary=b c", "", "--b c", "", "one", "--b", "", "two", "--b--", "--b c--", "")
    let structure = MailStructure(message: bytes)
    #expect(structure.outline == ["TEXT multipart/mixed", "1 text/plain"])
    #expect(structure.content(of: 1, in: bytes) == Array("one\r\n--b\r\n\r\ntwo\r\n--b--".utf8))
  }

  @Test func `An extended boundary is decoded`() {
    let bytes = mail(
      "Content-Type: multipart/mixed; boundary*0*=utf-8''a%2; boundary*1=b", "", "--a%2b", "", "x", "--a%2b--", "")
    #expect(MailStructure(message: bytes).parts.count == 2)
    let percent = mail(
      "Content-Type: multipart/mixed; boundary*=us-ascii'en'a%3Db", "", "--a=b", "", "x", "--a=b--", "")
    #expect(MailStructure(message: percent).parts.count == 2)
  }

  @Test func `A boundary that begins with another one is another boundary`() {
    let bytes = mail(
      "Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: multipart/mixed; boundary=bb", "",
      "--bb", "", "one", "--bbb", "--bb-", "--bb--", "--b", "", "two", "--b-", "--b--", "")
    let structure = MailStructure(message: bytes)
    #expect(
      structure.outline == [
        "TEXT multipart/mixed", "1 multipart/mixed", "1.1 text/plain", "2 text/plain",
      ])
    #expect(structure.content(of: 2, in: bytes) == Array("one\r\n--bbb\r\n--bb-".utf8))
    #expect(structure.content(of: 3, in: bytes) == Array("two\r\n--b-".utf8))
  }

  @Test func `Encoded words are decoded in names only`() {
    let structure = MailStructure(
      message: mail("Content-Type: text/plain; charset=\"=?utf-8?Q?utf-8?=\"; name=\"=?utf-8?Q?=C3=A9?=\"", "", "x"))
    #expect(structure.parts[0].charset == "=?utf-8?Q?utf-8?=")
    #expect(structure.parts[0].name == "é")
  }
}
