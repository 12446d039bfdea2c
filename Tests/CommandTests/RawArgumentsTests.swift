internal import FileSupport
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Bytes on the command line") struct RawArgumentsTests {
  @Test(arguments: ["", "photo.jpg", "é 日本 👩‍👧", "--size=256", "-", "\u{FFFD}"])
  func `Text stays as it is`(text: String) {
    #expect(RawArguments.text(of: Array(text.utf8)) == text)
    #expect(RawArguments.bytes(of: text) == Array(text.utf8))
  }

  @Test(arguments: 1...200)
  func `Any bytes come back`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Runs of each kind of byte: ASCII, leading, continuing, never used; and whole private-use characters.
    let kinds: [[UInt8]] = [
      [0x61], [0xC3], [0xE2], [0xF4], [0x8F], [0xBE], [0xBF], [0x80], [0xFF], [0xC0], [0xED], [0xA0],
    ]
    let reserved: [[UInt8]] = [[0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBD, 0xBF]]
    let bytes = (0..<Int.random(in: 0...24, using: &generator)).flatMap { _ in
      (kinds + reserved).randomElement(using: &generator) ?? []
    }
    #expect(RawArguments.bytes(of: RawArguments.text(of: bytes)) == bytes)
  }

  @Test(arguments: 1...100)
  func `Many files in a row are one argument and come back in order`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var rows: [String] = []
    for row in 0..<Int.random(in: 0...4, using: &generator) {
      rows.append(["-0", "--jobs=2", "-", "--"].randomElement(using: &generator) ?? "-")
      for file in 0..<Int.random(in: 0...600, using: &generator) { rows.append(file % 97 == 0 ? "" : "\(row) \(file)") }
    }
    let bundled = RawArguments.bundled(rows)
    let paths = bundled.flatMap { PathArguments(argument: $0)?.paths ?? [] }
    #expect(paths == rows.map { PathBytes($0) })
    // What follows an option directly can be its value: it stays alone.
    for (index, argument) in bundled.enumerated() where index > 0 && bundled[index - 1].hasPrefix("-") {
      #expect(!argument.contains("\0"))
    }
    #expect(bundled.count <= 4 * (RawArguments.smallRow + 1))
  }

  @Test func `A few files stay separate arguments`() {
    let arguments = ["probe"] + (1..<RawArguments.smallRow).map { "\($0)" }
    #expect(RawArguments.bundled(arguments) == arguments)
    #expect(RawArguments.bundled(arguments + ["x"]).count == 2)
  }

  @Test func `The last component of a path is the name of the file`() {
    for (path, name) in [("a", "a"), ("a/b", "b"), ("/a/b/", "b"), ("a//", "a"), ("/", ""), ("", ""), ("..", "..")] {
      #expect(Array(PathBytes(path).lastComponent) == Array(name.utf8))
    }
  }
}
