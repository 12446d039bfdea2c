internal import Foundation
internal import MMSCodec
internal import TestSupport
internal import Testing

/// R-MYM-21: bombs, deep nesting and references to the outside are harmless.
@Suite struct HostileSMILTests {
  private func read(_ smil: String) -> SMILPresentation? {
    SMILPresentation(MMSMessage.Part(contentType: ContentType("application/smil"), body: Array(smil.utf8)[...]))
  }

  @Test("A document that declares entities is not read") func aDocumentThatDeclaresEntitiesIsNotRead() {
    var bomb = "<!DOCTYPE smil [<!ENTITY a0 'aaaaaaaaaa'>"
    for level in 1...9 {
      bomb += "<!ENTITY a\(level) '" + String(repeating: "&a\(level - 1);", count: 10) + "'>"
    }
    #expect(read(bomb + "]><smil><body><img src='&a9;'/></body></smil>") == nil)
    #expect(read("<!DOCTYPE smil [<!ENTITY a 'b'>]><smil><body><img src='&a;'/></body></smil>") == nil)
    #expect(read("<!DOCTYPE smil [\u{600}<!ENTITY a 'b'>]><smil><body><img src='&a;'/></body></smil>") == nil)
    #expect(read("<!DOCTYPE smil [<!ATTLIST img src CDATA 'b'>]><smil><body><img/></body></smil>") == nil)
    #expect(read("<!DOCTYPE smil [<!ENTITY % a SYSTEM 'file:///etc/passwd'> %a;]><smil/>") == nil)
  }

  @Test func `A processing instruction does not end the process`() {
    #expect(read("<?x?><smil><body><img src='a'/></body></smil>") == nil)
    #expect(read("<smil><body><?x?><img src='a'/></body></smil>") == nil)
    #expect(read("<smil><body><?x y?><img src='a'/></body></smil>") == nil)
    // U+0600 and the character behind it are one to a String, and so are a sign and U+0301.
    #expect(read("<smil><body>\u{600}<?x?><img src='a'/></body></smil>") == nil)
    #expect(read("<smil><body><?\u{301}x?><img src='a'/></body></smil>") == nil)
    #expect(read("<?xml version='1.0'?><?xml?><smil><body><img src='a'/></body></smil>") == nil)
  }

  @Test("Nothing is fetched") func nothingIsFetched() throws {
    let folder = try TemporaryFolder()
    let secret = try folder.write(Array("<!ENTITY x 'secret'>".utf8), to: "secret.dtd")
    let presentation = read(
      "<!DOCTYPE smil SYSTEM 'file://\(secret)'><smil><body><par><text src='x&x;'/></par></body></smil>")
    #expect(presentation?.slides.first?.elements.first?.source.contains("secret") != true)
    let message = MMSMessage(
      .retrieveConf,
      content: MMSMessage.Content(
        type: ContentType("application/vnd.wap.multipart.related"),
        parts: [
          MMSMessage.Part(
            contentType: ContentType("application/smil"),
            body: Array("<smil><body><par><img src='file://\(secret)'/></par></body></smil>".utf8)[...]),
          MMSMessage.Part(contentType: ContentType("text/plain"), body: [0x68]),
        ]))
    #expect(MessageSlides(of: message).order == .partsDanglingReference)
  }

  @Test("Depth and element count are limited") func depthAndElementCountAreLimited() {
    let deep = { (count: Int) in
      "<smil><body>" + String(repeating: "<par>", count: count) + "<img src='a'/>"
        + String(repeating: "</par>", count: count)
        + "</body></smil>"
    }
    #expect(read(deep(20))?.slides.first?.elements.count == 1)
    #expect(read(deep(1_000)) == nil)
    #expect(read(String(repeating: "<a>", count: 40_000)) == nil)
    #expect(read("<smil><body>" + String(repeating: "<img/>", count: 3_000) + "</body></smil>")?.slides.count == 3_000)
    #expect(read("<smil><body>" + String(repeating: "<img/>", count: 5_000) + "</body></smil>") == nil)
    #expect(read("<smil><body>" + String(repeating: " ", count: 140_000) + "</body></smil>") == nil)
  }

  @Test func `Mutated documents never trap`() {
    var random = SeededGenerator(seed: 77)
    let whole = Array(
      "<?xml version='1.0'?><smil><head><layout><root-layout width='9px'/></layout></head><body><par dur='5s'><img src='a'/></par></body></smil>"
        .utf8)
    for _ in 0..<3_000 {
      var octets = whole
      for _ in 0...random.below(4) { octets[random.below(octets.count)] = UInt8(random.below(256)) }
      octets.removeLast(random.below(10))
      _ = SMILPresentation(MMSMessage.Part(contentType: ContentType("application/smil"), body: octets[...]))
    }
  }
}
