internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Mail

@Suite struct EnrichedTests {
  private func text(_ type: String, _ body: String, maxOctets: Int = 1 << 20) -> MailText {
    let structure = MailStructure(message: Array("Content-Type: \(type); charset=utf-8\r\n\r\nx".utf8))
    return MailText(octets: Array(body.utf8), of: structure.parts[0], maxOctets: maxOctets)
  }

  @Test(
    "text/enriched becomes its text without commands (RFC 1896)",
    arguments: [
      ("<bold>Now</bold> is the time", "Now is the time"), ("a << b <<bold> c", "a < b <bold> c"),
      // One line break is a space, more are one fewer.
      ("one\r\ntwo", "one two"), ("one \r\ntwo", "one two"), ("one\r\n\r\ntwo", "one\ntwo"),
      ("one\r\n\r\n\r\ntwo", "one\n\ntwo"),
      ("<nofill>one\r\n  two\r\n\r\nthree</nofill>\r\nfour", "one\n  two\n\nthree\nfour"),
      ("<color><param>red</param>Blood</color> is thick", "Blood is thick"),
      ("<x-tag-with-digits-1><param>http://evil.example/</param>a</x-tag-with-digits-1>b", "ab"),
      ("a<center>b</center>c", "a\nb\nc"), ("<Excerpt>a</EXCERPT>b", "a\nb"),
      // What is no command is text.
      ("1 < 2", "1 < 2"), ("a<b c>d", "a<b c>d"), ("a<>b", "a<>b"), ("a<", "a<"), ("a</", "a</"),
      ("<script>alert(1)</script>", "alert(1)"), ("é<bold>€</bold>", "é€"), ("a\u{1B}[31m\u{7F}b", "a[31mb"),
      ("a<param>never ends", "a"), ("</param></nofill>a", "a"),
    ])
  func enriched(body: String, expected: String) {
    #expect(text("text/enriched", body).text == expected)
  }

  @Test(
    "text/richtext becomes its text without commands (RFC 1341 §7.1.3)",
    arguments: [
      ("<bold>Now</bold> is <lt>b>", "Now is <b>"), ("one<nl>two<np>three", "one\ntwo\nthree"),
      ("one\r\n\r\n\r\ntwo", "one two"), ("a<comment>hidden <nl> <lt></comment>b", "ab"),
      ("<paragraph>a</paragraph><paragraph>b</paragraph>", "a\n\nb"),
    ])
  func richtext(body: String, expected: String) {
    #expect(text("text/richtext", body).text == expected)
  }

  @Test("RTF that is declared as text/richtext is read as RTF") func rtf() {
    let body = "{\\rtf1 plain {\\b bold}\\par}"
    #expect(text("text/richtext", body).text == text("text/rtf", body).text)
    #expect(text("text/richtext", body).text.hasPrefix("plain bold"))
  }

  @Test("A name of more than 60 characters is no command") func longName() {
    let name = String(repeating: "a", count: 60)
    #expect(text("text/enriched", "<\(name)>x").text == "x")
    #expect(text("text/enriched", "<\(name)a>x").text == "<\(name)a>x")
  }

  @Test("The text ends at its limit, and hostile commands cost linear time") func limits() {
    let cut = text("text/enriched", String(repeating: "<bold>é", count: 1_000), maxOctets: 101)
    #expect(cut.text == String(repeating: "é", count: 50))
    #expect(cut.isTruncated)
    for piece in ["<", "<<", "</", "<param>", "<nofill>\n", "<\(String(repeating: "a", count: 59))"] {
      _ = text("text/enriched", String(repeating: piece, count: 100_000))
    }
  }

  @Test("Any octets become a text within its limit", arguments: ["enriched", "richtext"]) func random(type: String) {
    let part = MailStructure(bodyStructure: Array("(\"text\" \"\(type)\" NIL NIL NIL \"7bit\" 1 1)".utf8)).parts[0]
    var generator = SeededGenerator(seed: 1_896)
    let alphabet = Array("<</>>\r\n -aparmnofillt".utf8) + [0xC3, 0xA9, 0x00, 0x1B]
    for _ in 0..<2_000 {
      let octets = (0..<generator.below(120)).map { _ in alphabet[generator.below(alphabet.count)] }
      let text = MailText(octets: octets, of: part, maxOctets: 50)
      #expect(text.text.utf8.count <= 50)
      #expect(!text.text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
    }
  }

  @Test("An enriched text is the body of an alternative without plain text and HTML") func alternatives() {
    func shown(_ types: String...) -> [String] {
      var lines = ["Content-Type: multipart/alternative; boundary=b", ""]
      for type in types { lines += ["--b", "Content-Type: \(type)", "", "<bold>\(type)</bold>"] }
      let message = Array((lines + ["--b--"]).joined(separator: "\r\n").utf8)
      let structure = MailStructure(message: message)
      return structure.textParts().map { structure.parts[$0].type.rawValue }
    }
    #expect(shown("text/calendar", "text/enriched") == ["text/enriched"])
    #expect(shown("text/richtext", "text/enriched") == ["text/enriched"])
    #expect(shown("text/enriched", "text/plain") == ["text/plain"])
    #expect(shown("text/enriched", "text/html") == ["text/html"])
  }
}
