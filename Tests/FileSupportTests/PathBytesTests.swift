internal import FileSupport
internal import Testing

@Suite("Paths as bytes") struct PathBytesTests {
  @Test(
    "A path has a folder, a name and a last component",
    arguments: [
      ("IN/photo.jpg", "IN", "photo.jpg", "photo.jpg"), ("photo.jpg", "", "photo.jpg", "photo.jpg"),
      ("/a", "/", "a", "a"), ("IN/", "IN", "", "IN"), ("/", "/", "", ""), ("", "", "", ""), ("a//", "a/", "", "a"),
    ])
  func parts(path: String, folder: String, name: String, last: String) {
    let path = PathBytes(path)
    #expect(path.folder.text == folder)
    #expect(path.name == Array(name.utf8))
    #expect(Array(path.lastComponent) == Array(last.utf8))
  }

  @Test("A name is appended after exactly one slash", arguments: [("a", "a/b"), ("a/", "a/b"), ("/", "/b"), ("", "b")])
  func appending(folder: String, expected: String) {
    #expect(PathBytes(folder).appending("b".utf8).text == expected)
  }

  @Test("A path is inside a folder only if whole components match") func inside() {
    let folder = PathBytes("/a/b")
    #expect(folder.isInside(folder))
    #expect(PathBytes("/a/b/c").isInside(folder))
    #expect(!PathBytes("/a/bc").isInside(folder))
    #expect(!PathBytes("/a").isInside(folder))
    #expect(PathBytes("/a").isInside(PathBytes("/")))
  }

  @Test("Bytes that are not UTF-8 are kept, and displayed as U+FFFD") func notUTF8() {
    let path = PathBytes([0x61, 0xE9])
    #expect(path.bytes == [0x61, 0xE9])
    #expect(path.text == "a\u{FFFD}")
    #expect(!path.isUTF8)
    #expect(PathBytes("\u{E9}").isUTF8)
  }

  @Test("The C string has the bytes of the path and a terminating NUL") func cString() {
    let bytes = PathBytes([0x61, 0xE9]).withCString { text in (0..<3).map { UInt8(bitPattern: text[$0]) } }
    #expect(bytes == [0x61, 0xE9, 0])
    #expect(PathBytes([0x61, 0, 0x62]).hasNUL)
    #expect(!PathBytes("ab").hasNUL)
  }

  @Test("Paths are ordered by their bytes") func order() {
    let sorted = ["b", "a/b", "a-b", "B", "a"].map { PathBytes($0) }.sorted()
    #expect(sorted.map(\.text) == ["B", "a", "a-b", "a/b", "b"])
  }
}
