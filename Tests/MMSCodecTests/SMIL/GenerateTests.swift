internal import Encodings
internal import MMSCodec
internal import MediaModel
internal import Testing

/// A22, A23, A27: slides become a presentation and parts.
@Suite struct GenerateTests {
  private func image(_ name: String) -> MMSMessage.Part { MMSMessage.Part(type: .jpeg, name: name, body: [1, 2, 3]) }

  @Test("A slide is laid out as phones do") func aSlideIsLaidOutAsPhonesDo() throws {
    let content = try MMSMessage.Content(presenting: [
      MessageSlides.Slide(media: image("a.jpg"), text: "hi", index: 0),
      MessageSlides.Slide(
        media: MMSMessage.Part(type: MediaType("audio/amr"), name: "s.amr", body: []), text: nil, index: 1),
      MessageSlides.Slide(
        media: MMSMessage.Part(type: MediaType("text/x-vCard"), name: "c.vcf", body: []), text: nil, index: 2),
      MessageSlides.Slide(
        media: MMSMessage.Part(type: MediaType("video/3gpp"), name: "v.3gp", body: []), text: "yo", index: 3),
    ])
    guard case .parts(let parts) = content.body, let smil = parts.first else {
      Issue.record("no parts")
      return
    }
    #expect(
      smil.text == """
        <smil><head><layout><root-layout width="320px" height="480px"/>\
        <region id="Image" left="0px" top="0px" width="320px" height="320px" fit="meet"/>\
        <region id="Text" left="0px" top="320px" width="320px" height="160px" fit="meet"/></layout></head><body>\
        <par dur="5000ms"><img src="a.jpg" region="Image"/><text src="text_0.txt" region="Text"/></par>\
        <par dur="5000ms"><audio src="s.amr"/></par>\
        <par dur="5000ms"><ref src="c.vcf"/></par>\
        <par dur="5000ms"><video src="v.3gp" region="Image"/><text src="text_3.txt" region="Text"/></par></body></smil>
        """)
    #expect(parts.map(\.name) == ["smil.xml", "a.jpg", "text_0.txt", "s.amr", "c.vcf", "v.3gp", "text_3.txt"])
    #expect(smil.contentType.mediaType.rawValue == "application/smil")
    #expect(smil.contentID == "smil")
    #expect(smil.contentLocation == "smil.xml")
    #expect(smil.contentType.charset == .utf8)
    #expect(content.type.text(.start) == "<smil>")
    #expect(content.type.text(.type) == "application/smil")
    #expect(content.type.mediaType.rawValue == "application/vnd.wap.multipart.related")
    #expect(parts[2].contentType.charset == .utf8)
    #expect(parts[2].text == "hi")
  }

  @Test(arguments: ["a&b.jpg", "a<b>\"c'.jpg", "日本.jpg", "a  b.jpg", "a\tb\nc.jpg", "&amp;.jpg"])
  func `The presentation is readable with any part name`(name: String) throws {
    let content = try MMSMessage.Content(presenting: [MessageSlides.Slide(media: image(name), text: "t", index: 0)])
    let message = try MMSMessage(decoding: MMSMessage(.sendReq, content: content).encoded())
    let slides = MessageSlides(of: message)
    #expect(slides.order == .presentation)
    #expect(slides.slides.map { $0.media?.name } == [name])
    #expect(slides.slides.first?.text?.text == "t")
  }

  @Test func `Two parts of one name are refused`() {
    #expect(throws: MMSMessage.EncodingError.self) {
      try MMSMessage.Content(presenting: [
        MessageSlides.Slide(media: image("a.jpg")), MessageSlides.Slide(media: image("a.jpg")),
      ])
    }
    #expect(throws: MMSMessage.EncodingError.self) {
      try MMSMessage.Content(presenting: [MessageSlides.Slide(media: image("smil.xml"))])
    }
    #expect(throws: MMSMessage.EncodingError.self) {
      try MMSMessage.Content(presenting: [MessageSlides.Slide(media: image("text_0.txt"), text: "a", index: 0)])
    }
  }

  @Test("A written presentation is read in its order") func aWrittenPresentationIsReadInItsOrder() throws {
    // R-MMS-38: compose, slides, SMIL, and back.
    let slides = [
      MessageSlides.Slide(media: nil, text: "one", index: 0),
      MessageSlides.Slide(media: image("a.jpg"), text: "two", index: 1),
      MessageSlides.Slide(media: image("b.jpg"), text: nil, index: 2),
      MessageSlides.Slide(media: image("c.jpg"), text: "three", index: 3),
    ]
    let message = MMSMessage(.sendReq, content: try MMSMessage.Content(presenting: slides))
    let again = MessageSlides(of: try MMSMessage(decoding: message.encoded()))
    #expect(again.order == .presentation)
    #expect(again.slides.map { $0.media?.name } == [nil, "a.jpg", "b.jpg", "c.jpg"])
    #expect(again.slides.map { $0.text?.text } == ["one", "two", nil, "three"])
    #expect(again.slides.allSatisfy { $0.duration == 5_000 })
  }
}
