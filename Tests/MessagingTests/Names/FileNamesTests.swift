internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

/// R-MMS-45, R-MMS-62, A13: names that files are shown and saved under.
@Suite struct FileNamesTests {
  private func name(_ name: String?, type: MediaType = .jpeg) -> String {
    var names = FileNames()
    return names.name(for: name, type: type)
  }

  @Test(
    "R-MMS-45: a file name to save is no path, contains no markup, reverses no direction and hides nothing",
    arguments: [
      ("../../etc/passwd.jpg", "passwd.jpg"), ("C:\\x\\y.jpg", "y.jpg"),
      ("<img src=x onerror=alert(1)>.jpg", "_img src=x onerror=alert(1)_.jpg"),
      ("photo\u{202E}gpj.exe", "photogpj.exe.jpg"), ("a\u{0}b\u{1B}[1m.jpg", "ab[1m.jpg"),
      (".hidden.jpg", "hidden.jpg"),
      ("a.jpg. . ", "a.jpg"), ("a \t\n b.jpg", "a b.jpg"), ("größe 😀.JPG", "größe 😀.JPG"),
      ("O'Brien & Co.jpg", "O'Brien & Co.jpg"),
      ("a:b?.jpg", "a_b_.jpg"), ("NUL.jpg", "_NUL.jpg"), ("com1.tar.jpg", "_com1.tar.jpg"),
      ("a\u{2028}b\u{2066}.jpg", "ab.jpg"),
    ])
  func cleaning(original: String, clean: String) { #expect(name(original) == clean) }

  @Test(
    "The extension is one of the type, or is appended",
    arguments: [
      ("jpeg_image", MediaType.jpeg, "jpeg_image.jpg"), ("a.jpeg", .jpeg, "a.jpeg"), ("a.png", .jpeg, "a.png.jpg"),
      ("a.exe", MediaType("video/mp4"), "a.exe.mp4"), ("a.what", MediaType("application/x-unheard-of"), "a.what"),
      ("noext", MediaType("application/x-unheard-of"), "noext"),
    ])
  func extensions(original: String, type: MediaType, expected: String) {
    #expect(name(original, type: type) == expected)
  }

  @Test("A file without a name is named after its kind", arguments: [nil, "", "..", "/", " . ", "\u{202E}"])
  func placeholders(original: String?) {
    #expect(name(original) == "image.jpg")
    #expect(name(original, type: MediaType("video/mp4")) == "video.mp4")
  }

  /// Swift finds the last character of a run of flags by reading the whole run.
  @Test(
    "The time for a long name is linear",
    arguments: ["\u{1F1E6}", "\u{301}", "👩\u{200D}", ".", ". ", "/", "\u{202E}", "a"])
  func longNames(piece: String) {
    let long = String(repeating: piece, count: 100_000)
    #expect(name(long + ".jpg").hasSuffix(".jpg"))
    #expect((1...40).contains(name(long).unicodeScalars.count))
    #expect(name("photo \(long).jpg").hasPrefix("photo") || piece == "/")
  }

  @Test("Names that differ only in case are equal on many file systems")
  func uniqueness() {
    var names = FileNames()
    let given = ["a.jpg", "A.JPG", "x/a.jpg", "a_2.jpg"].map { names.name(for: $0, type: .jpeg) }
    #expect(given == ["a.jpg", "A_2.JPG", "a_3.jpg", "a_2_2.jpg"])
  }

  @Test("Random names become safe, short and distinct", arguments: [1, 2, 3] as [UInt64])
  func randomNames(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", ".", "/", "\\", "é", "_2", "😀", "\u{0}", "jpg", String(repeating: "b", count: 39), "\u{301}", "\u{202E}",
      " ", "<", "CON",
      String(repeating: "\u{301}", count: 60), "\u{FEFF}",
    ]
    var names = FileNames()
    var seen: Set<String> = []
    for _ in 0..<3_000 {
      let original = (0..<random.below(6)).map { _ in pieces[random.below(pieces.count)] }.joined()
      let type = [MediaType.png, .octetStream, MediaType("x/y")][random.below(3)]
      let name = names.name(for: original, type: type)
      #expect(seen.insert(name.lowercased()).inserted, "seed \(seed): \(original)")
      #expect((1...40).contains(name.unicodeScalars.count), "seed \(seed): \(original) → \(name)")
      #expect(
        !name.unicodeScalars.contains { "/\\<>\"\u{0}\u{202E}\u{FEFF}".unicodeScalars.contains($0) },
        "seed \(seed): \(original)")
      #expect(name.first != ".", "seed \(seed): \(original) → \(name)")
      #expect(name.last != ".", "seed \(seed): \(original) → \(name)")
      #expect(
        type.extensions.isEmpty || type.extensions.contains { name.lowercased().hasSuffix("." + $0) },
        "seed \(seed): \(original) → \(name)")
    }
  }
}
