internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Tar files") struct TarTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// The members that the reader finds in bytes that arrive in pieces of a size.
  private static func members(of bytes: [UInt8], pieces: Int = 700) throws -> [(name: String, content: [UInt8])] {
    let rest = Locked(bytes[...])
    var reader = TarReader {
      rest.withLock { rest in
        let piece = rest.prefix(pieces)
        rest = rest.dropFirst(piece.count)
        return Array(piece)
      }
    }
    var found: [(name: String, content: [UInt8])] = []
    while let member = try reader.next() {
      var content: [UInt8] = []
      while case let piece = try reader.content(), !piece.isEmpty { content += piece }
      #expect(content.count == member.count)
      if member.kind == .file { found.append((member.name.text, content)) }
    }
    return found
  }

  private func tar(_ arguments: [String]) throws -> [UInt8] {
    try Tool("tar", package: "tar").run(arguments).bytes
  }

  @Test("Members are read back by our reader, by GNU tar and by Python's tarfile") func written() throws {
    let members: [(name: String, content: [UInt8])] = [
      ("a.json", Array("{}".utf8)), ("a.grid.webp", (0..<1_500).map { UInt8(truncatingIfNeeded: $0) }), ("b.json", []),
      ("c.bin", [UInt8](repeating: 7, count: 512)),
    ]
    let bytes = members.flatMap { TarWriter.member($0.name, $0.content) } + TarWriter.end
    let file = scratch("out.tar")
    try Data(bytes).write(to: URL(fileURLWithPath: file.text))
    let ours = try Self.members(of: bytes)
    #expect(ours.map(\.name) == members.map(\.name))
    #expect(ours.map(\.content) == members.map(\.content))
    #expect(String(decoding: try tar(["-tf", file.text]), as: UTF8.self) == members.map { $0.name + "\n" }.joined())
    for member in members { #expect(try tar(["-xOf", file.text, member.name]) == member.content) }
    let script = """
      import sys, tarfile
      for member in tarfile.open(sys.argv[1], "r|"):
          print(member.name, member.size, member.mode, member.mtime, member.uid, member.isreg())
      """
    let lines = try Tool("python3", package: "python3").run(["-c", script, file.text]).text
    #expect(lines == members.map { "\($0.name) \($0.content.count) 420 0 0 True\n" }.joined())
  }

  @Test(
    "What GNU tar writes is read, in each of its formats, whatever the pieces",
    arguments: ["v7", "ustar", "gnu", "posix", "oldgnu"], [1, 511, 512, 65_536])
  func foreign(format: String, pieces: Int) throws {
    let long = String(repeating: "d", count: 60) + "/" + String(repeating: "n", count: format == "v7" ? 30 : 90)
    try scratch.file("in/\(long)", "long")
    try scratch.file("in/empty", "")
    try scratch.file("in/text", String(repeating: "x", count: 5_000))
    try scratch.link("in/zlink", to: "text")
    let bytes = try tar(["--format=\(format)", "--sort=name", "-C", scratch("in").text, "-cf", "-", "."])
    let found = try Self.members(of: bytes, pieces: pieces)
    #expect(found.map(\.name) == ["./\(long)", "./empty", "./text"])
    #expect(found.map(\.content.count) == [4, 0, 5_000])
  }

  @Test("The content of a member of an unknown type is skipped, as in an incremental backup of GNU tar")
  func unknownTypes() throws {
    try scratch.file("in/a", "text")
    let bytes = try tar(["--format=gnu", "--listed-incremental=/dev/null", "-C", scratch("in").text, "-cf", "-", "."])
    #expect(try Self.members(of: bytes).map(\.name) == ["./a"])
    var other = TarWriter.member("x", [1, 2, 3]) + TarWriter.member("y", [4]) + TarWriter.end
    other[156] = UInt8(ascii: "X")
    Self.sign(&other, at: 0)
    #expect(try Self.members(of: other).map(\.name) == ["y"])
  }

  @Test(
    "A sparse file is found by its name, and its content is not that of a file; the member after it is read",
    arguments: [["--format=gnu"], ["--sparse-version=0.0"], ["--sparse-version=0.1"], ["--sparse-version=1.0"]])
  func sparse(format: [String]) throws {
    // So many holes that the map of GNU's old format takes several blocks.
    try scratch.file("in/a", "")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch("in/a").text))
    for index in 0..<60 as Range<UInt64> {
      try file.seek(toOffset: index * 8_192)
      try file.write(contentsOf: [UInt8](repeating: 1, count: 512))
    }
    try file.truncate(atOffset: 60 * 8_192)
    try file.close()
    try scratch.file("in/b", "after")
    let options = (format == ["--format=gnu"] ? [] : ["--format=posix"]) + format
    let bytes = try tar(options + ["-S", "--hole-detection=raw", "-C", scratch("in").text, "-cf", "-", "a", "b"])
    let rest = Locked(bytes)
    var reader = TarReader {
      rest.withLock { rest in
        defer { rest = [] }
        return rest
      }
    }
    let found = try reader.next()
    let first = try #require(found)
    #expect(first.kind == .sparse)
    #expect(first.name.text == "a")
    #expect(first.count < 60 * 1_024)
    let next = try reader.next()
    let second = try #require(next)
    #expect(second.kind == .file)
    #expect(second.name.text == "b")
    let content = try reader.content()
    #expect(content == Array("after".utf8))
    let end = try reader.next()
    #expect(end == nil)
  }

  @Test("A file that is not a tar file has another error than a damaged header") func notTar() throws {
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 2_000)
    var message = ""
    do { _ = try Self.members(of: text) } catch let damage as TarReader.Damage { message = damage.message }
    #expect(message.contains("decompress it first"))
    do {
      _ = try Self.members(of: TarWriter.member("a", [1]) + text)
    } catch let damage as TarReader.Damage { message = damage.message }
    #expect(message == "a header has the wrong checksum")
  }

  @Test("A name that is not ASCII or has 300 bytes is read as it is") func longNames() throws {
    let name = String(repeating: "ü", count: 100) + "/" + String(repeating: "b", count: 150)
    try scratch.file("in/\(name)", "x")
    for format in ["gnu", "posix"] {
      let bytes = try tar(["--format=\(format)", "-C", scratch("in").text, "-cf", "-", name])
      #expect(try Self.members(of: bytes).map(\.name) == [name], "\(format)")
    }
  }

  @Test("A tar file cut at any place is an error, unless it is cut in the zeros of its end") func cut() throws {
    let bytes =
      TarWriter.member("a", [UInt8](repeating: 1, count: 700)) + TarWriter.member("b", [2]) + TarWriter.end
    for end in stride(from: 0, to: bytes.count, by: 37) {
      let isWhole = end >= bytes.count - TarWriter.block
      if isWhole {
        #expect(try Self.members(of: Array(bytes[..<end])).count == 2, "\(end)")
      } else {
        #expect(throws: TarReader.Damage.self, "\(end)") { try Self.members(of: Array(bytes[..<end])) }
      }
    }
  }

  @Test(
    "Changed bytes give members or an error, and never more bytes than there are", arguments: 0..<40 as Range<UInt64>)
  func mutated(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try scratch.file("in/a", "text")
    try scratch.file("in/\(String(repeating: "n", count: 120))", "x")
    let format = ["gnu", "posix", "ustar"][generator.below(3)]
    let original = try tar(["--format=\(format)", "-C", scratch("in").text, "-cf", "-", "."])
    for _ in 0..<50 {
      var bytes = original
      for _ in 0...generator.below(4) { bytes[generator.below(3_000)] = UInt8(generator.below(256)) }
      // Most changes are found by the checksum: it is made right again, so that what is behind it is tried too.
      for start in stride(from: 0, to: 3_000, by: 512) { Self.sign(&bytes, at: start) }
      do {
        let total = try Self.members(of: bytes).reduce(0) { $0 + $1.content.count }
        #expect(total <= bytes.count)
      } catch is TarReader.Damage {}
    }
  }

  /// Writes the checksum of a header.
  private static func sign(_ bytes: inout [UInt8], at start: Int) {
    guard start + 512 <= bytes.count, bytes[start..<(start + 512)].contains(where: { $0 != 0 }) else { return }
    for index in 148..<156 { bytes[start + index] = UInt8(ascii: " ") }
    let sum = bytes[start..<(start + 512)].reduce(0) { $0 + Int($1) }
    for (index, byte) in String(sum, radix: 8).utf8.reversed().enumerated() { bytes[start + 153 - index] = byte }
    bytes[start + 154] = 0
  }
}
