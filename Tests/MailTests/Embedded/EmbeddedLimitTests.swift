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

  @Test("HTML is read for its images up to a limit of decoded octets") func amplifiedHTML() throws {
    // 300 lines of 63 zeros, 18,900 octets, are before the only line that names the image: `<img src="cid:a">`.
    let zeros = String(repeating: "_\n", count: 300)
    let bytes = mail(
      "Content-Type: multipart/related; boundary=b", "", "--b", "Content-Type: text/html",
      "Content-Transfer-Encoding: x-uuencode", "", "begin 644 a", zeros + #"1/&EM9R!S<F,](F-I9#IA(CX`"#, "`", "end",
      "--b",
      "Content-Type: image/png", "Content-ID: <a>", "", "x", "--b--")
    var structure = MailStructure(message: bytes)
    let image = try #require(structure.parts.firstIndex { $0.contentID == "a" })
    #expect(structure.parts[image].role == .inlinePicture)
    Octets.with(bytes) { structure.resolveInlinePictures(in: $0, maxOctets: 10_000) }
    #expect(structure.parts[image].role == .attachment)
    Octets.with(bytes) { structure.resolveInlinePictures(in: $0, maxOctets: 20_000) }
    #expect(structure.parts[image].role == .inlinePicture)
  }

  @Test(
    "A file in a text is found wherever the pieces end in which the text is read",
    arguments: ["begin 644 a\n#0V%T\n`\nend\n", "=ybegin line=128 size=3 name=a\nm\u{8b}\u{9e}\n=yend size=3\n"])
  func dividedMark(file: String) {
    for offset in 262_130...262_146 {
      let text = String(repeating: "x", count: offset - 1) + "\n" + file
      let bytes = Array("Content-Type: text/plain\n\n".utf8) + Array(text.utf8)
      var structure = MailStructure(message: bytes)
      structure.addEmbeddedParts(in: bytes)
      #expect(structure.parts.count == 2, "\(offset)")
    }
  }

  @Test("A text without a file counts as searched") func withoutMark() {
    let bytes = mail("Content-Type: text/plain", "", "to begin with, =ybegin", " begin 644 a", "=ybegin")
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    #expect(structure.parts.count == 1)
    #expect(structure.parts.map(\.isSearched) == [true])
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
