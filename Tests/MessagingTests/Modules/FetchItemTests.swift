internal import Mail
internal import Messaging
internal import Testing

@Suite("What is fetched for the modules of an e-mail") struct FetchItemTests {
  private func items(_ line: String, inMessage message: Int? = nil) -> [String] {
    MailStructure(bodyStructure: Array(line.utf8)).fetchItems(inMessage: message).map(\.description)
  }

  private static let alternative = """
    (("TEXT" "PLAIN" NIL NIL NIL "7BIT" 200000 10)("TEXT" "HTML" NIL NIL NIL "QUOTED-PRINTABLE" 4000 20) "ALTERNATIVE")
    """

  @Test("The displayed text is fetched, and of the files nothing but the beginnings of pictures") func pictures() {
    let files = """
      ("IMAGE" "JPEG" ("NAME" "a.jpg") NIL NIL "BASE64" 2000000)("APPLICATION" "OCTET-STREAM" ("NAME" "B.HEIC") NIL NIL "BASE64" 1000)\
      ("APPLICATION" "PDF" ("NAME" "c.pdf") NIL NIL "BASE64" 500000)("AUDIO" "MPEG" NIL NIL NIL "BASE64" 500000)
      """
    #expect(
      items("(\(Self.alternative)\(files) \"MIXED\")")
        == ["BODY.PEEK[1.1]<0.65536>", "BODY.PEEK[2]<0.22500>", "BODY.PEEK[3]"])
  }

  @Test("A server that decodes is asked for the content of encoded parts") func binary() {
    let files = """
      ("IMAGE" "JPEG" ("NAME" "a.jpg") NIL NIL "BASE64" 2000000)("IMAGE" "PNG" NIL NIL NIL "BASE64" 1000)("IMAGE" "GIF" NIL NIL NIL "BINARY" 20000)
      """
    let structure = MailStructure(bodyStructure: Array("(\(Self.alternative)\(files) \"MIXED\")".utf8))
    let items = structure.fetchItems(isBinaryOffered: true)
    #expect(
      items.map(\.description) == [
        "BODY.PEEK[1.1]<0.65536>", "BINARY.PEEK[2]<0.16384>", "BINARY.PEEK[3]", "BODY.PEEK[4]<0.16384>",
      ])
    #expect(items.map(\.isDecoded) == [false, true, true, false])
  }

  @Test("The HTML is fetched as well if a picture may be inline") func inlinePictures() {
    let picture = "(\"IMAGE\" \"PNG\" NIL \"<logo@x>\" NIL \"BINARY\" 20000)"
    #expect(
      items("(\(Self.alternative)\(picture) \"RELATED\")")
        == ["BODY.PEEK[1.1]<0.65536>", "BODY.PEEK[1.2]", "BODY.PEEK[2]<0.16384>"])
  }

  @Test("The parts of an attached message are fetched for the modules of that message") func attachedMessage() {
    let inner = "((\"TEXT\" \"PLAIN\" NIL NIL NIL \"7BIT\" 9 1)(\"IMAGE\" \"GIF\" NIL NIL NIL \"BASE64\" 0) \"MIXED\")"
    let line = """
      (("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1)("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 300 (NIL "s" NIL NIL NIL NIL NIL NIL NIL NIL) \(inner) 12) "MIXED")
      """
    #expect(items(line) == ["BODY.PEEK[1]"])
    // A server that states no size may have any.
    #expect(items(line, inMessage: 2) == ["BODY.PEEK[2.1]", "BODY.PEEK[2.2]<0.22500>"])
  }

  @Test("What Outlook and uuencode contain is in no section of the server") func embedded() {
    let message = Array("Content-Type: text/plain\r\n\r\nSee\r\nbegin 644 a.jpg\r\n#0V%T\r\n`\r\nend\r\n".utf8)
    var structure = MailStructure(message: message)
    structure.addEmbeddedParts(in: message)
    #expect(structure.parts.count == 2)
    #expect(structure.fetchItems().map(\.description) == ["BODY.PEEK[1]"])
  }

  @Test("The header of the first request is read as a mail without a body") func header() {
    #expect(MailStructure.listItems.contains("BODYSTRUCTURE"))
    let header = MailStructure(message: Array("Subject: Hello\r\nFrom: ana@example.org\r\n\r\n".utf8)).header
    #expect(header?.subject == "Hello")
    #expect(header?.from == ["ana@example.org"])
  }
}
