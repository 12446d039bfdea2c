internal import FileSupport
internal import Testing

@Suite("Paths as bytes") struct PathBytesTests {
  @Test(arguments: [
    ("IN/photo.jpg", "IN", "photo.jpg", "photo.jpg"), ("photo.jpg", "", "photo.jpg", "photo.jpg"),
    ("/a", "/", "a", "a"), ("IN/", "IN", "", "IN"), ("/", "/", "", ""), ("", "", "", ""), ("a//", "a/", "", "a"),
  ])
  func aPathHasAFolderANameAndALastComponent(path: String, folder: String, name: String, last: String) {
    let path = PathBytes(path)
    #expect(path.folder.text == folder)
    #expect(path.name == Array(name.utf8))
    #expect(Array(path.lastComponent) == Array(last.utf8))
  }

  @Test(arguments: [("a", "a/b"), ("a/", "a/b"), ("/", "/b"), ("", "b")])
  func aNameIsAppendedBehindOneSlash(folder: String, expected: String) {
    #expect(PathBytes(folder).appending("b".utf8).text == expected)
  }

  @Test func whatLiesInAFolderIsInsideItAndWhatOnlyBeginsTheSameIsNot() {
    let folder = PathBytes("/a/b")
    #expect(folder.isInside(folder))
    #expect(PathBytes("/a/b/c").isInside(folder))
    #expect(!PathBytes("/a/bc").isInside(folder))
    #expect(!PathBytes("/a").isInside(folder))
    #expect(PathBytes("/a").isInside(PathBytes("/")))
  }

  @Test func bytesThatAreNotUTF8AreKeptAndShownReplaced() {
    let path = PathBytes([0x61, 0xE9])
    #expect(path.bytes == [0x61, 0xE9])
    #expect(path.text == "a\u{FFFD}")
    #expect(!path.isUTF8)
    #expect(PathBytes("\u{E9}").isUTF8)
  }

  @Test func theSystemGetsTheBytesAndAnEndingNUL() {
    let bytes = PathBytes([0x61, 0xE9]).withCString { text in (0..<3).map { UInt8(bitPattern: text[$0]) } }
    #expect(bytes == [0x61, 0xE9, 0])
    #expect(PathBytes([0x61, 0, 0x62]).hasNUL)
    #expect(!PathBytes("ab").hasNUL)
  }

  @Test func pathsAreOrderedByTheirBytes() {
    let sorted = ["b", "a/b", "a-b", "B", "a"].map { PathBytes($0) }.sorted()
    #expect(sorted.map(\.text) == ["B", "a", "a-b", "a/b", "b"])
  }
}
