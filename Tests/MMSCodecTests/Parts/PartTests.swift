internal import Encodings
internal import MMSCodec
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite struct PartTests {
  @Test("A created part has its name in three places") func aCreatedPartHasItsNameInThreePlaces() throws {
    // A27: text says UTF-8; name, id and location are one.
    let part = MMSMessage.Part(type: MediaType("text/plain"), name: "text_0.txt", body: Array("hé".utf8))
    #expect(part.name == "text_0.txt")
    #expect(part.contentID == "text_0.txt")
    #expect(part.contentLocation == "text_0.txt")
    #expect(part.contentType.charset == .utf8)
    #expect(part.text == "hé")
    let message = MMSMessage(
      .sendReq, version: nil,
      content: MMSMessage.Content(type: ContentType("application/vnd.wap.multipart.mixed"), parts: [part]))
    #expect(
      try message.encoded()
        == octets(
          "8C 80 84 A3 01 2B 03 0F 83 81 EA 85 'text_0.txt' 00 C0 22 '<text_0.txt>' 00 8E 'text_0.txt' 00 'h' C3 A9"))
    #expect(MMSMessage.Part(type: .jpeg, name: "a.jpg", body: []).contentType.charset == nil)
    // Where a quote octet would stand in front of the location, there is none.
    let accented = MMSMessage.Part(type: .jpeg, name: "é.jpg", body: [])
    #expect(accented.contentLocation == nil)
    #expect(accented.name == "é.jpg")
    #expect(accented.contentID == "é.jpg")
  }

  @Test("The name is read from type, disposition, location and ID, in this order")
  func theNameIsReadFromTypeDispositionLocationAndIDInThisOrder() {
    // A27, OMA-TS-MMS-CONF §10.2.
    var part = MMSMessage.Part(contentType: ContentType("image/jpeg"), body: [])
    #expect(part.name == nil)
    part.headers.append(WSPHeader(name: WSPHeader.contentID, value: .quoted("<id>")))
    #expect(part.name == "id")
    part.headers.append(.named("content-location", "location"))
    #expect(part.name == "location")
    part.headers.append(
      WSPHeader(
        name: WSPHeader.contentDisposition14,
        value: .disposition(ContentDisposition(.attachment, parameters: [WSPHeader.Parameter(.filename, "file")]))))
    #expect(part.name == "file")
    part.contentType.parameters = [WSPHeader.Parameter(.name, "")]
    #expect(part.name == "file")
    part.contentType.parameters = [WSPHeader.Parameter(name: .assigned(0x17), value: .quoted("name"))]
    #expect(part.name == "name")
  }

  @Test(
    "R-MMS-62: the file name of a textual Content-Disposition is the part's name too (RFC 2183, RFC 6266)",
    arguments: [
      ("attachment; filename=a.jpg", "a.jpg"), ("attachment; filename=\"a b;c.jpg\"", "a b;c.jpg"),
      ("inline;FileName = x; filename=y.png ;size=3", "y.png"), ("attachment; filename=\"a\\\"b.jpg\"", "a\"b.jpg"),
      ("attachment; filename=x.jpg; filename*=UTF-8''gr%C3%BC%C3%9Fe.jpg", "grüße.jpg"),
      ("attachment; filename*=iso-8859-1'de'%E9.txt", "é.txt"), ("attachment; filename*=nosuch''a; filename=b", "b"),
      ("attachment", nil), ("attachment; filename", nil), ("attachment; filename=", nil), ("; ; =; filename=\"a", "a"),
      ("filename=a", nil),
    ])
  func dispositionInWords(value: String, name: String?) throws {
    var part = MMSMessage.Part(contentType: ContentType("image/jpeg"), body: [])
    part.headers = [.named("Content-Disposition", value)]
    #expect(part.name == name)
    // Some write the words behind the coded name of the header, and are read as a disposition with a long name.
    part.headers = [
      WSPHeader(
        name: WSPHeader.contentDisposition, value: .disposition(ContentDisposition(.token(TextString(value)))))
    ]
    #expect(part.name == name)
    part.headers.append(WSPHeader(name: WSPHeader.contentLocation, value: .text("location")))
    #expect(part.name == name ?? "location")
  }

  @Test func `A body is a slice of the message`() throws {
    let data = Array(repeating: UInt8(7), count: 1_000)
    let pdu = octets("8C 84 84 A3") + multipart([(octets("9E"), data)])
    let body = try #require(MMSMessage(decoding: pdu).parts.first?.body)
    #expect(body.startIndex == pdu.count - 1_000)
    #expect(body.endIndex == pdu.count)
    let same = pdu.withUnsafeBufferPointer { whole in
      body.withUnsafeBufferPointer { $0.baseAddress == whole.baseAddress.map { $0 + pdu.count - 1_000 } }
    }
    #expect(same)
  }
}
