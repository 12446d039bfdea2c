internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct VCardTests {
  @Test(arguments: [
    ("BEGIN:VCARD\r\nFN:Simon Perreault\r\nEND:VCARD", "Simon Perreault"),
    ("BEGIN:VCARD\nfn;language=en:Anna\nEND:VCARD", "Anna"),
    ("BEGIN:VCARD\nitem1.FN:Anna\nEND:VCARD", "Anna"),
    ("BEGIN:VCARD\nN:Doe;John\nFN:John\\, Doe\\; the\\n\\\\ 3rd\nEND:VCARD", "John, Doe; the \\ 3rd"),
    ("BEGIN:VCARD\r\nFN:A very long na\r\n me in two lines\r\nEND:VCARD", "A very long name in two lines"),
    (
      "BEGIN:VCARD\nVERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:J=C3=B6rg=20M=\nüller\nEND:VCARD",
      "Jörg Müller"
    ),
    ("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:100=\nEND:VCARD", "100END:VCARD"),
    ("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:a=zz=4\nEND:VCARD", "a=zz=4"),
    ("BEGIN:VCARD\nFN:First\nFN:Second\nEND:VCARD", "First"),
    ("BEGIN:VCARD\nFN;X-A=\"a:b\":John Doe\nEND:VCARD", "John Doe"),
    ("BEGIN:VCARD\nVERSION:2.1\nN:Doe;John;;;\nTEL:1\nEND:VCARD", "John Doe"),
    ("BEGIN:VCARD\nFN: \nN:Doe\\;s;John;Q.;Dr.;Jr.\nEND:VCARD", "Dr. John Q. Doe;s Jr."),
    ("BEGIN:VCARD\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg\nEND:VCARD", "Jörg Müller"),
    ("BEGIN:VCARD\nFN;CHARSET=\"windows-1252\";QUOTED-PRINTABLE:5 =80\nEND:VCARD", "5 €"),
    ("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:J=F6rg\nEND:VCARD", "Jörg"),
    ("BEGIN:VCARD\nFN;CHARSET = ISO-8859-1;ENCODING = Quoted-Printable :J=F6rg\nEND:VCARD", "Jörg"),
    // A line that goes on is no property of its own.
    ("BEGIN:VCARD\nNOTE;ENCODING=\"QUOTED-PRINTABLE\"\t:a=\nFN:Eve\nFN:Ada\nEND:VCARD", "Ada"),
    ("BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\nFN:Eve\nFN:Ada\nEND:VCARD", "Ada"),
  ])
  func `The name is read`(_ card: String, _ name: String) {
    #expect(VCard(Array(card.utf8)).name == name)
  }

  @Test(arguments: [
    "BEGIN:VCARD\nEND:VCARD", "BEGIN:VCARD\nFN:\nEND:VCARD", "BEGIN:VCARD\nFNORD:x\nEND:VCARD", "FN", ":", "\n \n",
    "BEGIN:VCARD\nN:;;;;\nEND:VCARD\nBEGIN:VCARD\nFN:Ada\nEND:VCARD",
  ])
  func `A card without name has none`(_ card: String) {
    #expect(VCard(Array(card.utf8)).name == nil)
  }

  @Test func `A card is a contact`() throws {
    let info = MediaProber().facts(of: try MediaInput(bytes: Array("BEGIN:VCARD\nFN:Anna\nEND:VCARD".utf8)))
    #expect(info.kind == .contact)
    #expect(info.title == "Anna")
  }

  @Test func `The name may follow a long photo`() throws {
    let photo = String(repeating: " AAAABBBBCCCCDDDD\n", count: 8_000)
    let card = "BEGIN:VCARD\nVERSION:3.0\nPHOTO;ENCODING=b:\n\(photo)FN:Ada\nEND:VCARD\n"
    #expect(MediaProber().facts(of: try MediaInput(bytes: Array(card.utf8))).title == "Ada")
  }
}
