internal import Testing

@testable internal import Mail

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

@Suite struct MailTextTests {
  private func text(_ type: String, _ body: [UInt8]) -> String {
    let message = Array("Content-Type: \(type)\r\n\r\n".utf8) + body
    return MailStructure(message: message).text(of: message).text
  }

  @Test(
    "A text with a wrong or missing charset is UTF-8 or windows-1252",
    arguments: [
      ("text/plain; charset=utf-8", [0xC3, 0xA9], "é"), ("text/plain", [0xC3, 0xA9], "é"),
      ("text/plain", [0x80, 0xE9], "€é"),
      ("text/plain; charset=us-ascii", [0xE9], "é"), ("text/plain; charset=iso-8859-1", [0x80], "€"),
      ("text/plain; charset=no-such", [0xC3, 0xA9], "é"), ("text/plain; charset=koi8-r", [0xC1], "а"),
    ])
  func aWrongOrMissingCharsetIsUTF8OrWindows1252(type: String, body: [UInt8], expected: String) {
    #expect(text(type, body) == expected)
  }

  @Test func `HTML declares its own charset`() {
    #expect(text("text/html", Array("<meta charset=\"koi8-r\"><p>".utf8) + [0xC1]) == "а")
    #expect(text("text/html; charset=utf-8", Array("<meta charset=\"koi8-r\"><p>é".utf8)) == "é")
  }

  @Test(
    "Flowed lines are joined",
    arguments: [
      ("format=flowed", "one \r\ntwo\r\n three\r\n", "one two\nthree\n"),
      ("format=flowed; delsp=yes", "on \r\ne\r\n", "one\n"),
      ("format=flowed", ">a \r\n> b\r\n>> c\r\nd", "> a b\n>> c\nd\n"), ("format=flowed", ">a \r\nb", "> a \nb\n"),
      ("format=flowed", "bye \r\n-- \r\nAna", "bye \n-- \nAna\n"), ("format=fixed", "one \r\ntwo", "one \ntwo"),
    ])
  func flowedLinesAreJoined(parameters: String, body: String, expected: String) {
    #expect(text("text/plain; \(parameters)", Array(body.utf8)) == expected)
  }

  @Test func `A mail with several texts has them in order`() {
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

  @Test func `A text ends at its limit between characters`() {
    let structure = MailStructure(message: mail("Content-Type: text/plain; charset=utf-8", "", ""))
    let text = MailText(octets: Array("ééé".utf8), of: structure.parts[0], maxOctets: 5)
    #expect(text.text == "éé")
    #expect(text.isTruncated)
  }

  /// The text of a mail of which 1,000 decoded octets are read.
  private func beginning(of message: [UInt8]) -> MailText {
    MailStructure(message: message).text(of: message, maxInputOctets: 1_000, maxOctets: .max)
  }

  @Test("A text of which only the beginning is read is truncated", arguments: ["8bit", "base64"])
  func beginning(encoding: String) {
    for count in [100, 800, 5_000] {
      let html = "<style>\(String(repeating: "x", count: count))</style>end"
      let body = encoding == "base64" ? Data(html.utf8).base64EncodedString() : html
      let head = "Content-Type: text/html\r\nContent-Transfer-Encoding: \(encoding)\r\n\r\n"
      let text = beginning(of: Array((head + body).utf8))
      // The base64 of 800 octets is longer than the limit; the octets are not.
      let isWhole = count < 1_000
      #expect(text.text == (isWhole ? "end" : ""))
      #expect(text.isTruncated == !isWhole)
    }
  }

  @Test("A text that is cut inside a character is UTF-8 without that character", arguments: ["", "a", "aa", "aaa"])
  func dividedCharacter(prefix: String) {
    let head = Array("Content-Type: text/plain\r\n\r\n".utf8)
    for character in ["é", "€", "😀"] {
      let text = beginning(of: head + Array((prefix + String(repeating: character, count: 1_000)).utf8))
      let count = (1_000 - prefix.utf8.count) / character.utf8.count
      #expect(text.text == prefix + String(repeating: character, count: count))
      #expect(text.isTruncated)
    }
  }

  @Test("The texts of a mail end together at a limit, which is reported")
  func limitOfAll() {
    let part = String(repeating: "é", count: 300)
    var lines = ["Content-Type: multipart/mixed; boundary=b", "", "preamble"]
    for _ in 0..<50 { lines += ["--b", "Content-Type: text/plain; charset=utf-8", "", part] }
    let message = Array((lines + ["--b--"]).joined(separator: "\r\n").utf8)
    let structure = MailStructure(message: message)
    let cut = structure.text(of: message, maxInputOctets: 10_000, maxOctets: 1_301)
    // Two parts of 600 octets, an empty line between each, and what is left of the limit: not the half of a character.
    #expect(cut.text == [part, part, String(part.prefix(48))].joined(separator: "\n\n"))
    #expect(cut.isTruncated)
    let whole = structure.text(of: message, maxInputOctets: 10_000, maxOctets: 50 * 602)
    #expect(whole.text.utf8.count == 50 * 602 - 2)
    #expect(!whole.isTruncated)
  }
}
