internal import HTTPTypes
internal import MediaModel
internal import MediaService
internal import Testing

@testable internal import MediaServer

@Suite struct ContentDispositionTests {
  @Test(
    "A name is a token or percent-encoded, and never leaves its field",
    arguments: [
      ("photo.jpg", "filename=photo.jpg"), ("IMG_0001-2.JPG", "filename=IMG_0001-2.JPG"),
      ("two words.jpg", "filename*=UTF-8''two%20words.jpg"), ("Zoë.jpg", "filename*=UTF-8''Zo%C3%AB.jpg"),
      ("a\"b;c=d.jpg", "filename*=UTF-8''a%22b%3Bc%3Dd.jpg"), ("100%.jpg", "filename*=UTF-8''100%25.jpg"),
      ("a\r\nSet-Cookie: x=1.jpg", "filename*=UTF-8''aSet-Cookie%3A%20x%3D1.jpg"), ("a\u{0}b.jpg", "filename=ab.jpg"),
      // Right to left: `photo‮gpj.exe` looks like `photoexe.jpg`.
      ("photo\u{202E}gpj.exe", "filename=photogpj.exe"), ("a\u{2066}b\u{200F}c.jpg", "filename=abc.jpg"),
      ("../../etc/passwd", "filename=passwd"), ("C:\\Windows\\a.jpg", "filename=a.jpg"), ("..", "filename=7.jpg"),
      ("/", "filename=7.jpg"), ("", "filename=7.jpg"), ("...", "filename=7.jpg"), (" \t ", "filename=7.jpg"),
      ("a/..", "filename=7.jpg"),
      // A slash and a combining mark after it are one character of Swift, and two of a file system.
      ("../\u{301}a.jpg", "filename*=UTF-8''%CC%81a.jpg"),
    ])
  func names(name: String, expected: String) {
    #expect(ContentDisposition.field(type: .jpeg, name: name, fallback: "7.jpg") == "inline; \(expected)")
  }

  @Test("A name has at most 255 bytes, cut between characters")
  func long() throws {
    let field = ContentDisposition.field(type: .jpeg, name: String(repeating: "ü", count: 4_096), fallback: "7")
    let name = try #require(field.split(separator: "''").last)
    #expect(name == String(repeating: "%C3%BC", count: 127)[...])
    let token = ContentDisposition.field(type: .jpeg, name: String(repeating: "a", count: 4_096), fallback: "7")
    #expect(token == "inline; filename=\(String(repeating: "a", count: 255))")
  }

  @Test("Only types in which nothing can run are shown by a browser")
  func inline() {
    for type in [MediaType.jpeg, .png, .gif, .webp, .avif, .heic, MediaType("video/mp4"), MediaType("audio/mpeg")] {
      #expect(ContentDisposition.field(type: type, name: "a", fallback: "7") == "inline; filename=a")
    }
    for name in [
      "image/svg+xml", "text/html", "application/xhtml+xml", "application/pdf", "text/xml", "application/xml",
      "message/rfc822", "multipart/related", "text/plain", "application/javascript", "application/octet-stream",
    ] {
      let field = ContentDisposition.field(type: MediaType(name), name: "a", fallback: "7")
      #expect(field == "attachment; filename=a", "\(name)")
    }
  }

  @Test(
    "An Accept field is one of three classes",
    arguments: [
      (nil, ["jpeg"]), ("*/*", ["jpeg"]), ("image/*", ["jpeg"]), ("image/webp", ["webp", "jpeg"]),
      ("image/avif,image/webp,image/apng,*/*;q=0.8", ["avif", "webp", "jpeg"]), ("IMAGE/WEBP", ["webp", "jpeg"]),
      ("image/webp;q=0", ["jpeg"]), ("image/webp; q=0.000", ["jpeg"]), ("image/webp;q=0.1", ["webp", "jpeg"]),
      ("image/webpx", ["jpeg"]), (",,;q=1,", ["jpeg"]),
      (String(repeating: "image/webp,", count: 800), ["jpeg"]),
    ] as [(String?, [String])])
  func accept(field: String?, expected: [String]) {
    var fields = HTTPFields()
    fields[.accept] = field
    #expect(AcceptedFormats.of(fields).map(\.rawValue) == expected)
  }
}
