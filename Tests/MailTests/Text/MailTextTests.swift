internal import Mail
internal import Testing

@Suite struct MailTextTests {
  private func text(_ type: String, _ body: [UInt8]) -> String {
    let message = Array("Content-Type: \(type)\r\n\r\n".utf8) + body
    return MailStructure(message: message).text(of: message).text
  }

  @Test(arguments: [
    ("text/plain; charset=utf-8", [0xC3, 0xA9], "é"), ("text/plain", [0xC3, 0xA9], "é"),
    ("text/plain", [0x80, 0xE9], "€é"),
    ("text/plain; charset=us-ascii", [0xE9], "é"), ("text/plain; charset=iso-8859-1", [0x80], "€"),
    ("text/plain; charset=no-such", [0xC3, 0xA9], "é"), ("text/plain; charset=koi8-r", [0xC1], "а"),
  ])
  func aWrongOrMissingCharsetIsUTF8OrWindows1252(type: String, body: [UInt8], expected: String) {
    #expect(text(type, body) == expected)
  }

  @Test func htmlDeclaresItsOwnCharset() {
    #expect(text("text/html", Array("<meta charset=\"koi8-r\"><p>".utf8) + [0xC1]) == "а")
    #expect(text("text/html; charset=utf-8", Array("<meta charset=\"koi8-r\"><p>é".utf8)) == "é")
  }

  @Test(arguments: [
    ("format=flowed", "one \r\ntwo\r\n three\r\n", "one two\nthree\n"),
    ("format=flowed; delsp=yes", "on \r\ne\r\n", "one\n"),
    ("format=flowed", ">a \r\n> b\r\n>> c\r\nd", "> a b\n>> c\nd\n"), ("format=flowed", ">a \r\nb", "> a \nb\n"),
    ("format=flowed", "bye \r\n-- \r\nAna", "bye \n-- \nAna\n"), ("format=fixed", "one \r\ntwo", "one \ntwo"),
  ])
  func flowedLinesAreJoined(parameters: String, body: String, expected: String) {
    #expect(text("text/plain; \(parameters)", Array(body.utf8)) == expected)
  }

  @Test func aMailWithSeveralTextsHasThemInOrder() {
    let message = mail(
      "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "one", "--b", "Content-Type: image/png", "", "x",
      "--b",
      "Content-Type: text/html", "Content-Transfer-Encoding: quoted-printable", "",
      "<a href=3D\"https://a.example\">two</a>", "--b--")
    let text = MailStructure(message: message).text(of: message)
    #expect(text.text == "one\n\ntwo")
    #expect(text.links.map(\.range) == [5..<8])
    #expect(text.links.map(\.target) == ["https://a.example"])
  }

  @Test func aTextEndsAtItsLimitBetweenCharacters() {
    let structure = MailStructure(message: mail("Content-Type: text/plain; charset=utf-8", "", ""))
    let text = MailText(octets: Array("ééé".utf8), of: structure.parts[0], maxOctets: 5)
    #expect(text.text == "éé")
    #expect(text.isTruncated)
  }
}
