internal import MMSCodec
internal import MediaModel
internal import TestSupport
internal import Testing

/// What phones write as presentations is read; what cannot be read is nil.
@Suite struct ParseTests {
  private func read(_ smil: String, _ parameters: [WSPHeader.Parameter] = []) -> SMILPresentation? {
    SMILPresentation(
      MMSMessage.Part(contentType: ContentType("application/smil", parameters: parameters), body: Array(smil.utf8)[...])
    )
  }

  private func body(_ body: String, head: String = "") -> SMILPresentation? {
    read("<smil>\(head)<body>\(body)</body></smil>")
  }

  @Test func `Pixels, percent and regions of any name are read`() {
    let presentation = body(
      "<par dur='3s'><img src='a.jpg' region='Top'/><text src='b.txt' region='Bottom' begin='1s' end='2500ms'/></par>",
      head: """
        <head><meta name="x"/><layout><root-layout width="240" height="100%"/><region id="Top" left="0" top="0%" \
        width="100%" height="80.5%" fit="hidden"/><region id="Bottom" top="-4px" width="about"/><region/></layout></head>
        """)
    #expect(presentation?.width == .pixels(240))
    #expect(presentation?.height == .percent(100))
    #expect(
      presentation?.regions == [
        SMILPresentation.Region(
          id: "Top", left: .pixels(0), top: .percent(0), width: .percent(100), height: .percent(80), fit: "hidden"),
        SMILPresentation.Region(id: "Bottom", top: .pixels(-4)),
      ])
    #expect(presentation?.region("Bottom")?.top == .pixels(-4))
    #expect(presentation?.region("Image") == nil)
    #expect(
      presentation?.slides == [
        SMILPresentation.Slide(
          duration: 3_000,
          elements: [
            SMILPresentation.Element(.image, source: "a.jpg", region: "Top"),
            SMILPresentation.Element(.text, source: "b.txt", region: "Bottom", begin: 1_000, end: 2_500),
          ])
      ])
  }

  @Test func `Nested containers play in sequence`() {
    let presentation = body(
      """
      <seq><par><seq><img src="a"/><text src="b"/></seq><par><audio src="c"/></par><ref src="d"/></par>\
      <video src="e" dur="7s"/><par/><par><textstream src="f"/><animation src="g"/><brush src="h"/></par></seq>
      """)
    #expect(presentation?.slides.map { $0.elements.map(\.source) } == [["a", "b", "c", "d"], ["e"], [], ["f", "g"]])
    #expect(presentation?.slides.map(\.duration) == [nil, 7_000, nil, nil])
    #expect(presentation?.slides.last?.elements.map(\.kind) == [.text, .image])
  }

  @Test(arguments: [
    "<smil><body><par><img src='a'/></par></body></smil>\0",
    "\u{FEFF}<smil><body><par><img src='a'/></par></body></smil>",
    "\n <smil><body><par><img src='a'/></par></body></smil>\n\0\0",
    "<?xml version='1.0'?>\n<smil><body><par><img src='a'/></par></body></smil>",
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?><smil><body><par><img src='a'/></par></body></smil>",
    "<!DOCTYPE smil PUBLIC \"-//W3C//DTD SMIL 1.0//EN\" \"http://127.0.0.1:1/SMIL10.dtd\"><smil><body><par><img src='a'/></par></body></smil>",
    "<s:smil xmlns:s='urn:x'><s:body><s:par><s:img src='a'/></s:par></s:body></s:smil>",
    "<SMIL><BODY><PAR><IMG SRC='a'/></PAR></BODY></SMIL>",
    "<!-- c --><smil><body><par><img src='a'></img></par></body></smil>",
  ])
  func `All forms of the document are read`(smil: String) {
    #expect(read(smil)?.slides == [SMILPresentation.Slide(elements: [SMILPresentation.Element(.image, source: "a")])])
  }

  @Test func `Charsets are decoded`() {
    let latin = MMSMessage.Part(
      contentType: ContentType("application/smil"),
      body: octets(
        "'<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><smil><body><par><img src=\"' E9 '\"/></par></body></smil>'")[
          ...])
    #expect(SMILPresentation(latin)?.slides.first?.elements.first?.source == "é")
    let plain = "<smil><body><par><img src='é'/></par></body></smil>"
    let wide = MMSMessage.Part(
      contentType: ContentType("application/smil"),
      body: [0xFE, 0xFF] + plain.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
    #expect(SMILPresentation(wide)?.slides.first?.elements.first?.source == "é")
    let markless = MMSMessage.Part(
      contentType: ContentType("application/smil"),
      body: plain.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }[...])
    #expect(SMILPresentation(markless)?.slides.first?.elements.first?.source == "é")
    #expect(read(plain, [WSPHeader.Parameter(.charset, .integer(106))])?.slides.first?.elements.first?.source == "é")
  }

  @Test(arguments: [
    "", "hello", "<html><body><img src='a'/></body></html>", "<smil>", "<smil><body><par><img src='a'/>",
    "<smil><body><img src='a&b'/></body></smil>", "<smil/><smil/>", "\0", "<?xml", "<smil a='1' a='2'/>",
  ])
  func `An unreadable document is nil`(smil: String) {
    #expect(read(smil) == nil)
  }

  @Test(arguments: [
    ("5000ms", 5_000), ("5s", 5_000), ("5", 5_000), ("1.5min", 90_000), ("2h", 7_200_000), ("1:30", 90_000),
    ("0:01:30.5", 90_500), ("36000000ms", 36_000_000), (" 5 s ", 5_000), ("indefinite", nil), ("-5s", nil), ("", nil),
    ("1e9h", nil), ("nan", nil), ("1:2:3:4", nil), ("99999999999999999999999s", nil), ("5x", nil), ("1::2", nil),
  ])
  func `Clock values are read`(text: String, milliseconds: Int?) {
    #expect(body("<par dur='\(text)'/>")?.slides.first?.duration == milliseconds)
  }
}
