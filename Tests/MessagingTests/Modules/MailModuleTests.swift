internal import Mail
internal import MediaModel
internal import Messaging
internal import Testing

/// The modules of a mail, before and after its parts are fetched.
@Suite struct MailModuleTests {
  private static let line = """
    (("text" "html" ("charset" "utf-8") NIL NIL "quoted-printable" 900 20)\
    ("image" "jpeg" ("name" "../beach.jpg") NIL NIL "base64" 2736842 NIL ("inline" NIL))\
    ("application" "octet-stream" ("name" "beach.jpg") NIL NIL "base64" 1368 NIL ("attachment" NIL))\
    ("image" "png" NIL "<logo@x>" NIL "base64" 780)\
    ("message" "rfc822" NIL NIL NIL "7bit" 500 (NIL "Re: a/b" NIL NIL NIL NIL NIL NIL NIL NIL) ("text" "plain" NIL NIL NIL "7bit" 10 1) 12)\
    ("text" "calendar" ("method" "REQUEST") NIL NIL "7bit" 300 9)\
    ("application" "pgp-signature" NIL NIL NIL "7bit" 200) "mixed")
    """
  private let structure = MailStructure(bodyStructure: Array(line.utf8))

  @Test("Files of a mail that are not fetched have modules with names, sizes and labels")
  func filesThatAreNotFetchedHaveModules() {
    let modules = MessageModule.modules(of: structure.moduleContent())
    #expect(modules.map(\.kind) == [.image, .image, .image, .other, .calendar])
    #expect(modules.allSatisfy { $0.state == .notDownloaded && $0.action == .download && $0.icon != nil })
    #expect(modules.map(\.id) == ["2", "3", "4", "5", "6"])
    #expect(modules.map(\.filename) == ["beach.jpg", "beach_2.jpg", "image.png", "Re_ a_b.eml", "text.ics"])
    #expect(modules.map(\.size) == ["2.0 MB", "999 B", "570 B", "500 B", "300 B"])
    #expect(modules[0].label == "Image, not downloaded")
    #expect(modules[4].label == "Calendar text.ics, 300 B, not downloaded")
  }

  @Test("Modules of a mail have the text and the facts of files that are known")
  func textsAndFactsThatAreKnownAreShown() {
    let modules = MessageModule.modules(
      of: structure.moduleContent(
        text: { _ in MailText(html: "<p>Call +1 555 123 4567") },
        file: { position in
          guard position == 2 else { return nil }
          // The prober read the first 16 KiB.
          var info = MediaInfo(type: .jpeg, bytes: 16_384)
          (info.width, info.height) = (3_024, 4_032)
          info.error = MediaFailure(.truncated, "The file ends early.")
          return MessageModule.File(structure.parts[position], probed: info)
        }))
    #expect(modules[0].kind == .text)
    #expect(modules[0].links?.count == 1)
    #expect(modules[1].height == 4_032)
    #expect(modules[1].state == .notDownloaded)
    #expect(modules[1].size == "2.0 MB")
    var unknown = MediaInfo(type: .octetStream, bytes: 9)
    unknown.error = MediaFailure(.unrecognized, "?")
    #expect(MessageModule.File(structure.parts[2], probed: unknown).info.type == .jpeg)
    #expect(modules[2].height == nil)
  }

  private func links(_ html: String) -> [LinkDetector.Link] {
    MessageModule.modules(of: [MessageModule.Content(MailText(html: html))]).first?.links ?? []
  }

  @Test("A link in HTML is a link of its module, with ranges in UTF-8, UTF-16 and scalars")
  func aLinkOfHTMLIsALinkOfItsModule() throws {
    let html = "<p>😀 <a href='https://x.example/pay'>Click here</a> or www.example.org</p>"
    let text = { (_: Int) -> MailText? in MailText(html: html) }
    let modules = MessageModule.modules(of: structure.moduleContent(text: text))
    #expect(modules.first?.text == "😀 Click here or www.example.org")
    let links = try #require(modules.first?.links)
    #expect(links.map(\.text) == ["Click here", "www.example.org"])
    #expect(links.map(\.target) == ["https://x.example/pay", "http://www.example.org"])
    #expect(links.map(\.utf8) == [5..<15, 19..<34])
    #expect(links.map(\.utf16) == [3..<13, 17..<32])
    #expect(links.map(\.scalars) == [2..<12, 16..<31])
  }

  @Test("Of a mailto or tel link, only the address is the target")
  func onlyTheAddressOfAMailtoOrTelLinkIsItsTarget() {
    let links = links(
      "<a href='mailto:a%2Bb@x.org?bcc=c@x.org'>Write</a> <a href='TEL:+1-555-123;ext=4'>call</a> "
        + "<a href='mailto:a@x.org%3Fbcc=c@x.org'>no</a> <a href='javascript:alert(1)'>no</a>")
    #expect(links.map(\.kind) == [.email, .phone])
    #expect(links.map(\.target) == ["a+b@x.org", "+1555123"])
  }

  @Test(
    "A link whose text is an address says where it leads if that is elsewhere",
    arguments: [
      ("<a href='https://evil.example/login'>https://www.bank.com</a>", "evil.example"),
      ("<a href='https://bank.com@evil.example:8080/'>bank.com</a>", "evil.example"),
      ("<a href='https://evil.example\\@bank.com/'>bank.com</a>", "evil.example"),
      ("see https://<a href='https://evil.example/'>bank.com</a>/login", "evil.example"),
      ("<a href='mailto:eve@evil.example'>ana@bank.com</a>", "eve@evil.example"),
      ("<a href='https://WWW.Bank.com/x'>bank.com</a>", nil),
      ("<a href='https://evil.example/'>Your bank</a>", nil),
    ] as [(String, String?)])
  func aLinkOnAnAddressThatLeadsElsewhereNamesWhere(html: String, leadsTo: String?) {
    let links = links(html)
    #expect(links.count == 1)
    #expect(links.first?.leadsTo == leadsTo)
  }

  @Test("An attached message has files and texts of its own") func anAttachedMessageHasItsOwnFiles() {
    #expect(structure.attachments() == [2, 3, 4, 5, 7])
    #expect(structure.attachments(inMessage: 5).isEmpty)
    #expect(structure.textParts(inMessage: 5) == [6])
  }

  @Test("A winmail.dat whose parts are not known yet has a module")
  func aStreamWhosePartsAreListedIsNotOfferedBesideThem() {
    let line = "(\"application\" \"ms-tnef\" (\"name\" \"winmail.dat\") NIL NIL \"base64\" 900)"
    let structure = MailStructure(bodyStructure: Array(line.utf8))
    #expect(MessageModule.modules(of: structure.moduleContent()).map(\.filename) == ["winmail.dat"])
  }

  @Test("The extension of a name decides only where the type says nothing")
  func theExtensionDecidesOnlyWhereTheTypeSaysNothing() {
    let typed = MailStructure(message: Array("Content-Type: application/pdf; name=a.jpg\r\n\r\n".utf8))
    #expect(typed.parts[0].declaredInfo.type == .pdf)
    let untyped = MailStructure(message: Array("Content-Type: application/octet-stream; name=jpg\r\n\r\n".utf8))
    #expect(untyped.parts[0].declaredInfo.type == .octetStream)
  }
}
