internal import Testing

@testable internal import Mail

@Suite struct EmbeddedLimitTests {
  @Test("Lines of uuencode that say more octets than they have do not grow without limit") func amplification() throws {
    // "_" announces 63 octets; what is missing is zeros.
    let lines = Array(String(repeating: "_\n", count: 50_000).utf8)
    let bytes = Array("Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n".utf8) + lines + Array("`\nend\n".utf8)
    let structure = MailStructure(message: bytes)
    let whole = structure.content(of: 0, in: bytes)
    #expect(whole.count > 1_000_000)
    let cut = structure.content(of: 0, in: bytes, maxOctets: 100_000)
    #expect(cut.count <= 100_000)
    #expect(cut.elementsEqual(whole.prefix(cut.count)))
    var reader = MailStructure.ContentReader(MailStructure.Source(bytes))
    let read = [100_000, 0, -1].map { reader.content(of: 0, in: structure, maxOctets: $0) }
    #expect(read == [cut, [], []])
  }

  @Test("An encoding that only TNEF has is ignored in a field of an attached mail")
  func claimedCompressionInAttachedMail() throws {
    let bytes = mail(
      "Content-Type: message/rfc822", "Content-Transfer-Encoding: quoted-printable", "",
      "Content-Transfer-Encoding: x-compressed-rtf", "", "abcdefghijklmnopqrstuvwxyz")
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    let position = try #require(structure.parts.firstIndex { $0.encoding == "x-compressed-rtf" })
    #expect(structure.parts[position].container != nil)
    let content = structure.content(of: position, in: bytes)
    #expect(content.starts(with: "abcdefghijklmnopqrstuvwxyz".utf8))
    #expect(structure.parts[position].decodedSize == .exact(content.count))
  }

  @Test("An encoding that only TNEF has is ignored in a field of a mail") func claimedCompression() {
    let bytes = mail("Content-Transfer-Encoding: x-compressed-rtf", "", "abc")
    #expect(MailStructure(message: bytes).content(of: 0, in: bytes) == Array("abc".utf8))
  }
}
