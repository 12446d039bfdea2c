internal import MMSCodec
internal import MediaModel
internal import Testing

/// A25: the presentation decides, or the order of the parts.
@Suite struct SlidesTests {
  private func part(
    _ type: String, location: String? = nil, id: String? = nil, name: String? = nil, _ text: String = ""
  ) -> MMSMessage.Part {
    var part = MMSMessage.Part(contentType: ContentType(type), body: Array(text.utf8)[...])
    if let name { part.contentType.parameters.append(WSPHeader.Parameter(.name, name)) }
    if let id { part.headers.append(WSPHeader(name: WSPHeader.contentID, value: .quoted(TextString(id)))) }
    if let location {
      part.headers.append(WSPHeader(name: WSPHeader.contentLocation, value: .text(TextString(location))))
    }
    return part
  }

  private func message(
    _ body: String?, _ parts: [MMSMessage.Part], parameters: [WSPHeader.Parameter] = [], smilAt: Int = 0
  )
    -> MMSMessage
  {
    var parts = parts
    if let body { parts.insert(part("application/smil", id: "<s>", "<smil><body>\(body)</body></smil>"), at: smilAt) }
    return MMSMessage(
      .retrieveConf,
      content: MMSMessage.Content(
        type: ContentType("application/vnd.wap.multipart.related", parameters: parameters), parts: parts))
  }

  /// Slides as `media+text`.
  private func shown(_ message: MMSMessage) -> [String] {
    MessageSlides(of: message).slides.map { [$0.media?.name, $0.text?.text].compactMap { $0 }.joined(separator: "+") }
  }

  @Test(
    "A reference is a location, a name or an ID",
    arguments: [
      "a b.jpg", "cid:i1", "CID:i1", "cid:<i1>", "<i1>", "i1", "n.jpg", "a%20b.jpg", "cid:n.jpg",
    ])
  func aReferenceIsALocationANameOrAnID(source: String) {
    let escaped = source.replacing("<", with: "&lt;")
    let message = message(
      "<par><img src='\(escaped)'/></par>", [part("image/jpeg", location: "a b.jpg", id: "<i1>", name: "n.jpg")])
    #expect(MessageSlides(of: message).order == .presentation)
    #expect(shown(message) == ["n.jpg"])
  }

  @Test("Each media part is a slide, and text joins the last one") func eachMediaPartIsASlideAndTextJoinsTheLastOne() {
    let parts = [
      part("image/jpeg", location: "a"), part("audio/amr", location: "b"), part("text/plain", location: "t1", "one"),
      part("text/plain", location: "t2", "two"), part("text/x-vCard", location: "c"),
      part("text/plain", location: "t3", "three"),
    ]
    let message = message(
      """
      <par dur="2s"><text src="t1"/><img src="a"/><audio src="b"/></par><par><text src="t2"/></par>\
      <par><ref src="c"/></par><par><text src="t3"/></par>
      """, parts)
    #expect(shown(message) == ["a", "b+one", "two", "c+three"])
    #expect(MessageSlides(of: message).slides.map(\.duration) == [2_000, 2_000, nil, nil])
  }

  @Test func `A contact shown as text is an attachment`() {
    let message = message("<par><text src='c'/></par>", [part("text/x-vCard", location: "c", "BEGIN:VCARD")])
    #expect(MessageSlides(of: message).slides.map { $0.media?.name } == ["c"])
  }

  @Test("Without a usable presentation the slides are the parts") func withoutAUsablePresentationTheSlidesAreTheParts()
  {
    let parts = [
      part("text/plain", location: "t", "text"), part("image/jpeg", location: "a"),
      part("application/pdf", location: "p"),
      part("text/html", location: "h"),
    ]
    let order = ["text", "a", "p", "h"]
    func check(_ body: String?, _ expected: MessageSlides.Order) {
      let message = message(body, parts)
      #expect(MessageSlides(of: message).order == expected, "\(body ?? "none")")
      #expect(shown(message) == order)
    }
    check(nil, .partsWithoutPresentation)
    check("<par>", .partsUnreadablePresentation)
    check("", .partsUnreadablePresentation)
    check("<par><img src='a'/><text src='nowhere'/></par>", .partsDanglingReference)
    check("<par><img src='a'/><text src='http://example.org/t'/></par>", .partsDanglingReference)
    check("<par><img/></par>", .partsDanglingReference)
    check("<par><img src='a'/><text src='t'/></par>", .partsNotShownOnce)
    check("<par><img src='a'/><text src='t'/><ref src='p'/><ref src='h'/><ref src='p'/></par>", .partsNotShownOnce)
    check("<par><img src='a'/><text src='t'/><ref src='p'/><ref src='p'/></par>", .partsNotShownOnce)
  }

  @Test func `The presentation is the start part or the first`() {
    let parts = [part("image/jpeg", location: "a"), part("image/jpeg", location: "b")]
    let forward = "<par><img src='a'/></par><par><img src='b'/></par>"
    let second = part(
      "application/smil", id: "<two>", "<smil><body><par><img src='b'/></par><par><img src='a'/></par></body></smil>")
    for position in 0...2 { #expect(shown(message(forward, parts, smilAt: position)) == ["a", "b"]) }
    for start in ["<two>", "two"] {
      let message = message(forward, parts + [second], parameters: [WSPHeader.Parameter(.start, start)])
      #expect(shown(message) == ["b", "a"])
    }
    #expect(
      shown(message(forward, parts + [second], parameters: [WSPHeader.Parameter(.start, "<none>")])) == ["a", "b"])
    #expect(shown(message(forward, parts + [second])) == ["a", "b"])
  }

  @Test func `A body that is no multipart is one slide`() {
    let text = MMSMessage(
      .retrieveConf, content: MMSMessage.Content(type: ContentType("text/plain"), octets: [0x68, 0x69]))
    #expect(MessageSlides(of: text).slides.map { $0.text?.text } == ["hi"])
    #expect(MessageSlides(of: MMSMessage(.retrieveConf)).slides.isEmpty)
  }
}
