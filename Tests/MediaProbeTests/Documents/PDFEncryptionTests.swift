internal import Testing

@testable internal import MediaProbe

@Suite struct PDFEncryptionTests {
  @Test(arguments: [
    ("/Encrypt 3 0 R", true), ("/Encrypt<<", true), ("/Encrypt\n9 0 R", true), ("/EncryptMetadata false", false),
    ("/Encryption 1", false), ("", false),
  ])
  func `The trailer determines encryption`(entry: String, isEncrypted: Bool) {
    let trailer = "trailer\n<< /Size 1 \(entry) >>\n"
    let filling = String(repeating: "%", count: 200_000)
    let end = "startxref\n200009\n%%EOF\n"
    // At the end, at the start, and at the stated start of the cross-references.
    for text in [
      filling + trailer + end, trailer + filling + end, "%PDF-1.7\n" + filling + trailer + filling + end,
    ] {
      #expect(PDFEncryption.isDeclared(in: ByteReader(Array(text.utf8))) == isEncrypted)
    }
  }

  @Test func `Corrupt offsets do not trap`() {
    for text in ["startxref", "startxref 99999999999999999999", "startxref -1", "startxref\n9", "/Encrypt", "%PDF"] {
      #expect(PDFEncryption.isDeclared(in: ByteReader(Array(text.utf8))) == (text == "/Encrypt"))
    }
  }
}
