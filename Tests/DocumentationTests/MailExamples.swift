import Mail
import Testing

/// The examples of the page of Mail.
@Suite struct MailExamples {
  @Test func listingAMailThatIsNotFetched() {
    let line = Array(
      """
      * 1 FETCH (BODYSTRUCTURE (("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 12 1)("image" "jpeg" ("name" "p.jpg") NIL NIL "base64" 12) "mixed"))
      """.utf8)
    let pieces = ["/9j/", "4AA", "Q"].map { Array($0.utf8) }

    let structure = MailStructure(bodyStructure: line)
    for part in structure.parts {
      print(part.section, part.type, part.name ?? "-", part.role?.rawValue ?? "-", part.decodedSize.octets)
    }
    #expect(structure.parts.map(\.section) == ["TEXT", "1", "2"])

    var decoder = MailPartDecoder(encoding: structure.parts[2].encoding)
    var photo: [UInt8] = []
    for piece in pieces { photo += decoder.feed(piece) }
    photo += decoder.finish()
    #expect(photo == [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10])
  }

  @Test func readingAMailAsText() {
    let mail = Array("Subject: =?utf-8?Q?caf=C3=A9?=\r\nContent-Type: text/html\r\n\r\n<p>At <b>ten</b>?".utf8)

    let structure = MailStructure(message: mail)
    print(structure.header?.subject ?? "", structure.text(of: mail).text)

    #expect(structure.header?.subject == "café")
    #expect(structure.text(of: mail).text == "At ten?")
  }
}
