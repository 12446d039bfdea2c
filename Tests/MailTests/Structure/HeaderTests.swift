internal import Mail
internal import Testing

/// The header fields that lists and conversations show.
@Suite struct HeaderTests {
  @Test func `A header has copies, replies and references`() throws {
    let structure = MailStructure(
      message: mail(
        "From: ana@x.org", "To: b@x.org", "Cc: =?utf-8?Q?Zo=C3=AB?= <zoe@x.org>,", " c@x.org", "Reply-To: list@x.org",
        "In-Reply-To: <2@x.org>", "References: <1@x.org>", " <2@x.org>", "Date: Mon, 23 Nov 2026 09:30:00 +0100", "",
        "Hi"))
    let header = try #require(structure.header)
    #expect(header.cc == ["Zoë <zoe@x.org>", "c@x.org"])
    #expect(header.replyTo == ["list@x.org"])
    #expect(header.inReplyTo == ["2@x.org"])
    #expect(header.references == ["1@x.org", "2@x.org"])
    #expect(header.time == 1_795_422_600)
  }

  @Test func `An envelope has copies and replies`() throws {
    let person = { (name: String) in "((NIL NIL \"\(name)\" \"x.org\"))" }
    let envelope =
      "(NIL \"s\" \(person("a")) \(person("a")) \(person("l")) \(person("b")) \(person("c")) NIL \"<2@x>\" \"<3@x>\")"
    let line =
      "(\"message\" \"rfc822\" NIL NIL NIL \"7bit\" 9 \(envelope) (\"text\" \"plain\" NIL NIL NIL \"7bit\" 1 1) 2)"
    let header = try #require(MailStructure(bodyStructure: Array(line.utf8)).parts.first?.message)
    #expect(header.cc == ["c@x.org"])
    #expect(header.replyTo == ["l@x.org"])
    #expect(header.inReplyTo == ["2@x"])
    #expect(header.messageID == "3@x")
  }

  @Test(
    arguments: [
      ("Mon, 23 Nov 2026 09:30:00 +0100", 1_795_422_600), ("23 Nov 2026 08:30 GMT", 1_795_422_600),
      ("Mon, 23 Nov 2026 03:30:00 EST (a (zone))", 1_795_422_600), ("Sun, 28 Feb 99 05:01:00 GMT", 920_178_060),
      ("Thu, 29 Feb 2024 00:00:00 -0000", 1_709_164_800), ("Wed, 29 Feb 2023 00:00:00 +0000", nil),
      ("23 Nov 2026", nil), ("Mon, 23 Nov 2026 24:00:00 +0000", nil), ("yesterday", nil), ("", nil),
    ] as [(String, Int?)])
  func `A date is an instant`(date: String, time: Int?) {
    #expect(MailStructure(message: mail("Date: \(date)", "", "x")).header?.time == time)
  }
}
