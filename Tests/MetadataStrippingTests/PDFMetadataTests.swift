internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("D6.10: author and title of a PDF are removed wherever they are") struct PDFMetadataTests {
  private func document(_ objects: String, trailer: String = "/Info 3 0 R") -> String {
    "%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n"
      + objects + "\ntrailer\n<</Root 1 0 R\(trailer)>>\nstartxref\n0\n%%EOF\n"
  }

  private func strip(_ text: String) -> String? {
    MetadataStripper.strip(Array(text.utf8), type: MediaType("application/pdf")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("Texts that the information dictionary refers to are removed, as macOS writes them")
  func referredTexts() throws {
    let information = "3 0 obj\n<</Title (12 0 R) /Author 7 0 R/Keywords 8 0 R/Creator 9 0 R>>\nendobj\n"
    let texts =
      "7 0 obj\n(secret (author))\nendobj\n8 0 obj\n<7365637265743F>\nendobj\n9 0 obj(s)endobj\n10 0 obj\n(kept)\nendobj"
    let file = document(information + texts)
    let stripped = try #require(strip(file))
    for text in ["secret", "736563", "(s)", "12 0 R"] { #expect(!stripped.contains(text), "\(text)") }
    #expect(stripped.contains("(kept)"))
    #expect(stripped.utf8.count == file.utf8.count)
    #expect(strip(stripped) == stripped)
  }

  @Test("An information dictionary that refers to anything else, or to what is not there, gives nil")
  func otherReferences() {
    for object in ["7 0 obj\n<</A(secret)>>\nendobj", "7 0 obj\n8 0 R\nendobj\n8 0 obj\n(secret)\nendobj", ""] {
      #expect(strip(document("3 0 obj\n<</Author 7 0 R>>\nendobj\n\(object)")) == nil, "\(object)")
    }
  }

  @Test("An update whose information dictionary may be in an object stream gives nil")
  func revisions() {
    let plain = "3 0 obj\n<</Author(old)>>\nendobj\n"
    let stream = "5 0 obj\n<</Type/ObjStm/N 1/First 4/Length 6>>stream\n3 0 <<\nendstream\nendobj\n"
    #expect(strip(document(plain) + stream + "startxref\n9\n%%EOF\n") == nil)
    #expect(strip(document(plain + stream, trailer: "/Info 3 0 R/XRefStm 9")) == nil)
    #expect(strip(document(plain + stream)) != nil, "one revision")
    #expect(strip(document(stream, trailer: "") + "startxref\n9\n%%EOF\n") != nil, "no information dictionary")
  }

  @Test("A linearized file has two tables and one revision; an updated one gives nil")
  func linearized() {
    let stream = "5 0 obj\n<</Type/ObjStm/N 1/First 4/Length 6>>stream\n4 0 <<\nendstream\nendobj\n"
    func file(length: Int) -> String {
      document("9 0 obj\n<</Linearized 1/L \(length)/N 1>>\nendobj\n3 0 obj\n<</Author(secret)>>\nendobj\n" + stream)
        + "startxref\n9\n%%EOF\n"
    }
    let length = file(length: 100).utf8.count
    #expect(strip(file(length: length)).map { !$0.contains("secret") } == true)
    #expect(strip(file(length: length - 1)) == nil)
  }

  @Test(
    "Names with escapes give nil", arguments: ["/#49nfo 3 0 R", "/Inf#6f 3 0 R", "/Info %\n3 0 R", "/#45ncrypt 3 0 R"])
  func escapedNames(trailer: String) {
    #expect(strip(document("3 0 obj\n<</Author(secret)>>\nendobj", trailer: trailer)) == nil)
    #expect(strip(document("3 0 obj\n<</Colour/A#20B>>\nendobj")) != nil)
  }

  @Test("XMP that no object states as such gives nil") func otherXMP() {
    let stream = "4 0 obj\n<</Length 20>>stream\n<x:xmpmeta>secret\nendstream\nendobj"
    #expect(strip(document(stream, trailer: "")) == nil)
  }

  @Test("EXIF after fill bytes of a JPEG image is removed") func fillBytes() throws {
    let photo: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0xE1, 0, 14] + Array("Exif\u{0}\u{0}secret".utf8) + [0xFF, 0xDA, 0, 2]
    let file =
      Array("%PDF-1.5\n5 0 obj\n<</Filter/DCTDecode>>\nstream\n".utf8) + photo + Array("\nendstream\nendobj\n".utf8)
    let stripped = try #require(MetadataStripper.strip(file, type: MediaType("application/pdf")))
    #expect(!stripped.contains(text: "secret"))
  }

  // Ten thousand million steps would take hours; a slow machine needs a minute for the hundred thousand.
  @Test("The time is linear in the references and objects of a document", .timeLimit(.minutes(20)))
  func manyReferences() {
    let count = 100_000
    var text = "%PDF-1.5\n"
    for number in 1...count { text += "\(number) 0 obj <<>> endobj\n" }
    for number in 1...count { text += "/Info \(number) 0 R\n" }
    #expect(strip(text) != nil)
  }
}
