internal import Mail
internal import MediaModel
internal import Testing

@Suite struct BodyStructureTests {
  private func structure(_ line: String) -> MailStructure { MailStructure(bodyStructure: Array(line.utf8)) }

  static let line = """
    (("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 5 0 NIL NIL NIL NIL)("IMAGE" "JPEG" ("NAME" "=?utf-8?Q?=C3=A9.jpg?=") "<i@x>" NIL \
    "BASE64" 7800 NIL ("ATTACHMENT" ("FILENAME*" "utf-8''%C3%A9.jpg")) NIL NIL)("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 300 ("Mon, 1 Jan 2026" \
    "=?utf-8?Q?=C3=A9?=" (("Ana" NIL "ana" "example.org")) NIL NIL ((NIL NIL "b" "example.org")) NIL NIL NIL "<1@x>") (("TEXT" "HTML" NIL NIL \
    NIL "QUOTED-PRINTABLE" 40 2)("APPLICATION" "PDF" NIL NIL NIL "BINARY" 9) "MIXED" ("BOUNDARY" "x")) 12) "MIXED" ("BOUNDARY" "b") NIL NIL)
    """

  @Test("A line gives the list of the mail") func aLineGivesTheListOfTheMail() {
    let structure = structure(Self.line)
    #expect(
      structure.outline == [
        "TEXT multipart/mixed", "1 text/plain", "2 image/jpeg", "3 message/rfc822", "3.TEXT multipart/mixed",
        "3.1 text/html",
        "3.2 application/pdf",
      ])
    #expect(structure.roles == ["1 body", "2 attachment", "3 attachedMessage", "3.1 body", "3.2 attachment"])
    #expect(structure.parts.map(\.parent) == [nil, 0, 0, 0, 3, 4, 4])
    #expect(structure.parts[2].name == "é.jpg")
    #expect(structure.parts[2].contentID == "i@x")
    #expect(structure.parts[2].decodedSize == .estimated(5_700))
    #expect(structure.parts[6].decodedSize == .exact(9))
    #expect(structure.parts[1].charset == "utf-8")
    #expect(structure.parts[3].lines == 12)
    #expect(structure.parts[3].message?.subject == "é")
    #expect(structure.parts[3].message?.from == ["Ana <ana@example.org>"])
    #expect(structure.parts[3].message?.to == ["b@example.org"])
    #expect(structure.parts[3].message?.messageID == "1@x")
    #expect(structure.header == nil)
  }

  @Test(
    "The list is found in a response",
    arguments: [
      "* 1 FETCH (UID 5 BODYSTRUCTURE %)", "* 1 FETCH (ENVELOPE (NIL \"BODYSTRUCTURE\" NIL) BODYSTRUCTURE % FLAGS ())",
      "BODYSTRUCTURE %", "BODY %", "%\r\n",
    ])
  func theListIsFoundInAResponse(response: String) {
    #expect(structure(response.replacing("%", with: Self.line)) == structure(Self.line))
  }

  @Test("Literals are strings") func literalsAreStrings() {
    let structure = structure(
      "({4}\r\ntext {5+}\r\nplain ({7}\r\ncharset ~{5}\r\nutf-8) NIL NIL \"7bit\" 3 1 NIL (\"inline\" (\"filename\" {5}\r\na\"b(c)))"
    )
    #expect(structure.outline == ["1 text/plain"])
    #expect(structure.parts[0].charset == "utf-8")
    #expect(structure.parts[0].name == "a\"b(c")
    #expect(structure.parts[0].disposition == "inline")
  }

  /// Lines that servers really send.
  @Test(
    "A malformed line is a list of parts",
    arguments: [
      ("(\"mixed\" (\"boundary\" \"x\") NIL NIL)", ["1 text/plain"]), ("NIL", ["1 application/octet-stream"]),
      ("", ["1 application/octet-stream"]),
      (
        "(NIL (\"text\" \"plain\" NIL NIL NIL \"7bit\" 1 1) \"mixed\")",
        ["TEXT multipart/mixed", "1 application/octet-stream", "2 text/plain"]
      ),
      (
        "((\"text\" \"html\" NIL NIL NIL \"7bit\" -1 -1) \"alternative\" NIL \"inline\" NIL ())",
        ["TEXT multipart/alternative", "1 text/html"]
      ),
      ("(\"application\" NIL (\"name\" \"a\") NIL NIL \"base64\" 78)", ["1 application/octet-stream"]),
      ("(\"application\" (\"name\" \"a\") NIL NIL \"base64\" 78)", ["1 application/octet-stream"]),
      ("(\"message\" \"rfc822\" NIL NIL NIL \"7bit\" 10)", ["1 message/rfc822"]),
      ("(\"text\" \"plain\" (\"name\" \"a \"b\".txt\") NIL NIL \"7bit\" 1 1", ["1 text/plain"]),
      ("((((((", ["TEXT multipart/mixed", "1 multipart/mixed"]),
    ])
  func aMalformedLineIsAListOfParts(line: String, outline: [String]) {
    let result = structure(line)
    #expect(result.outline.prefix(2) == outline.prefix(2))
    #expect(result.parts.allSatisfy { $0.octets >= 0 && $0.lines ?? 0 >= 0 })
  }

  @Test func `A disposition without list is read`() {
    let result = structure("(\"image\" \"png\" (\"name\" \"a.png\") NIL NIL \"base64\" 78 NIL \"inline\" NIL ())")
    #expect(result.parts[0].disposition == "inline")
    #expect(result.parts[0].location == nil)
    #expect(result.parts[0].name == "a.png")
  }

  @Test func `Nesting has a limit`() {
    let depth = 5_000
    let line =
      String(repeating: "(", count: depth) + "\"text\" \"plain\"" + String(repeating: ") \"mixed\"", count: depth)
    let result = structure(line)
    #expect(result.parts.count == 101)
    #expect(result.parts.last?.isOverLimit == true)
    #expect(
      structure("(" + String(repeating: "(\"image\" \"png\")", count: 20_000) + " \"mixed\")").parts.count == 10_000)
  }

  @Test("A line of more values than its parts can have is read up to a limit", arguments: ["(", "()", "NIL ", "\"\" "])
  func values(piece: String) throws {
    var limits = MailStructure.Limits()
    limits.maxParts = 20
    let line = "((\"text\" \"plain\" NIL NIL NIL \"7bit\" 1 1)" + String(repeating: piece, count: 3_000)
    let structure = MailStructure(bodyStructure: Array((line + " \"mixed\")").utf8), limits: limits)
    #expect(structure.parts.count <= 20)
    #expect(structure.outline.prefix(2) == ["TEXT multipart/mixed", "1 text/plain"])
    let last = try #require(structure.parts.last)
    #expect(last.isOverLimit)
  }
}
