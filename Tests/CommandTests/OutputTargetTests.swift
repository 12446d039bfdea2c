internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// Output never replaces what is not a regular file.
@Suite("Where outputs may be written") struct OutputTargetTests {
  let scratch: Scratch
  let photo: PathBytes

  init() throws {
    scratch = try Scratch()
    photo = scratch("photo.jpg")
    try FileManager.default.copyItem(atPath: Fixture.path("color/grey.jpg"), toPath: photo.text)
  }

  /// Each command that writes one file, with the file at its end.
  static let writers: [[PathBytes]] = [
    ["compose", "--to", "+15551234567", "photo.jpg", "-o"], ["modules", "photo.jpg", "--html"],
    ["tray", "photo.jpg", "--html"], ["tray", "photo.jpg", "--sheet"],
  ]

  @Test("A pipe is written to and still there", arguments: writers) func fifo(writer: [PathBytes]) throws {
    let fifo = try scratch.fifo("fifo")
    let reader = open(fifo.text, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
    defer { close(reader) }
    // Room for a whole page, so that nobody has to read meanwhile.
    _ = fcntl(reader, 1_031, CInt(1 << 20))
    let result = try Command.run(writer + [fifo], folder: scratch.path)
    #expect(result.status == 0, "\(result.errors)")
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    #expect(read(reader, &bytes, bytes.count) > 100)
    #expect(try FileStatus(at: fifo, followsLinks: false).kind == .pipe)
  }

  @Test("A folder, a link, a socket and a pipe that nobody reads are errors and stay", arguments: writers)
  func inTheWay(writer: [PathBytes]) throws {
    try scratch.folder("folder")
    try scratch.fifo("fifo")
    try scratch.socket("socket")
    try scratch.file("target", "old")
    try scratch.link("link", to: "target")
    for (name, hint) in [("folder", "folder"), ("fifo", "pipe"), ("socket", "socket"), ("link", "symbolic link")] {
      let before = try FileStatus(at: scratch(name), followsLinks: false).identity
      let result = try Command.run(writer + [PathBytes(name)], folder: scratch.path)
      #expect(result.status == 70, "\(name)")
      #expect(result.errors.contains("cannot write \(name): "), "\(result.errors)")
      #expect(result.errors.contains(hint), "\(result.errors)")
      #expect(try FileStatus(at: scratch(name), followsLinks: false).identity == before)
    }
    #expect(FileManager.default.contents(atPath: scratch("target").text) == Data("old".utf8))
  }

  @Test("A character device is written to and still there", arguments: writers) func device(writer: [PathBytes]) throws
  {
    let terminal = try PseudoTerminal()
    for path in ["/dev/null", PathBytes(terminal.path)] as [PathBytes] {
      let before = try FileStatus(at: path, followsLinks: false).identity
      let result = try Command.run(writer + [path], folder: scratch.path)
      #expect(result.status == 0, "\(path) \(result.errors)")
      #expect(try FileStatus(at: path, followsLinks: false).kind == .device)
      #expect(try FileStatus(at: path, followsLinks: false).identity == before)
    }
    #expect(terminal.text().utf8.count > 100)
  }

  @Test("No output replaces a file that the run reads, whatever its name", arguments: writers)
  func sourceFile(writer: [PathBytes]) throws {
    let content = FileManager.default.contents(atPath: photo.text)
    #expect(link(photo.text, scratch("hard.jpg").text) == 0)
    try scratch.link("symbolic.jpg", to: "photo.jpg")
    try scratch.file("list", "photo.jpg\n")
    let through = { (name: PathBytes) in writer.map { $0 == "photo.jpg" ? name : $0 } }
    for (arguments, output) in [
      (writer, "photo.jpg"), (writer, "./photo.jpg"), (writer, "hard.jpg"), (through("symbolic.jpg"), "photo.jpg"),
      (through("."), "photo.jpg"), (["--files-from", "list"], "list"),
    ] as [([PathBytes], PathBytes)] {
      let arguments = arguments.first == "--files-from" ? writer.dropLast() + arguments + writer.suffix(1) : arguments
      let before = try FileStatus(at: scratch(output.text), followsLinks: false).identity
      let result = try Command.run(arguments + [output], folder: scratch.path)
      #expect(result.status == 70, "\(arguments) \(output)")
      #expect(result.errors.contains("would replace its source file"), "\(result.errors)")
      #expect(try FileStatus(at: scratch(output.text), followsLinks: false).identity == before)
      #expect(FileManager.default.contents(atPath: photo.text) == content)
    }
  }

  @Test("A thumbnail replaces no file that was named, and a tray's thumbnail none that it shows") func sourceInFolder()
    throws
  {
    for name in ["OUT/1.grid.webp", "OUT/photo.webp"] {
      try scratch.folder("OUT")
      try FileManager.default.copyItem(atPath: photo.text, toPath: scratch(name).text)
    }
    let content = FileManager.default.contents(atPath: photo.text)
    let tray = try Command.run(["tray", "OUT/1.grid.webp", "-o", "OUT"], folder: scratch.path)
    #expect(tray.status == 70)
    #expect(tray.errors.contains("OUT/1.grid.webp: it would replace its source file"), "\(tray.errors)")
    let images = try Command.run(
      ["thumbnail", "photo.jpg", "OUT/photo.webp", "-o", "OUT/%s.webp"], folder: scratch.path)
    #expect(images.status == 1)
    #expect(images.errors.contains("The image would replace its source file"), "\(images.errors)")
    for name in ["OUT/1.grid.webp", "OUT/photo.webp"] {
      #expect(FileManager.default.contents(atPath: scratch(name).text) == content, "\(name)")
    }
  }

  @Test("A template replaces no file beside an input, nor in a folder that is walked; elsewhere it replaces")
  func templates() throws {
    try scratch.folder("IN")
    try scratch.folder("IN/deep")
    try scratch.folder("OUT")
    for name in ["IN/a.jpg", "IN/deep/a.png", "IN/deep/a.jpg"] {
      try FileManager.default.copyItem(atPath: photo.text, toPath: scratch(name).text)
    }
    let content = FileManager.default.contents(atPath: photo.text)
    try scratch.file("list", "IN/deep/a.png\nIN/deep/a.jpg\n")
    for arguments in [
      ["IN", "-o", "IN/%s.jpg"], ["IN", "-o", "IN/deep/%s.jpg"], ["--files-from", "list", "-o", "IN/deep/%s.jpg"],
    ] as [[PathBytes]] {
      let result = try Command.run(["thumbnail"] + arguments, folder: scratch.path)
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errors.contains("another input"), "\(result.errors)")
      for name in ["IN/a.jpg", "IN/deep/a.png", "IN/deep/a.jpg"] {
        #expect(FileManager.default.contents(atPath: scratch(name).text) == content, "\(name) \(arguments)")
      }
    }
    for _ in 1...2 {
      #expect(try Command.run(["thumbnail", "IN/a.jpg", "-o", "OUT/%s.jpg"], folder: scratch.path).status == 0)
    }
  }

  @Test("A file that an option names is an input: no output replaces it") func namedByOption() throws {
    try scratch.file("policy.json", "{}")
    try scratch.file("profile.json", "{}")
    try scratch.folder("OUT")
    try scratch.file("OUT/photo.webp", #"{"source":"photo.jpg"}"# + "\n")
    for (arguments, output, content) in [
      (["tray", "photo.jpg", "--policy", "policy.json", "--html", "policy.json"], "policy.json", "{}"),
      (["tray", "photo.jpg", "--policy", "./policy.json", "--sheet", "policy.json"], "policy.json", "{}"),
      (
        ["compose", "--to", "+15551234567", "photo.jpg", "--profile", "profile.json", "-o", "./profile.json"],
        "profile.json", "{}"
      ),
      (
        ["thumbnail", "--requests", "OUT/photo.webp", "-o", "OUT/%s.webp"], "OUT/photo.webp",
        #"{"source":"photo.jpg"}"# + "\n"
      ),
    ] as [([PathBytes], String, String)] {
      let result = try Command.run(arguments, folder: scratch.path)
      #expect(result.status != 0, "\(arguments)")
      #expect(result.errors.contains("would replace its source file"), "\(arguments): \(result.errors)")
      #expect(FileManager.default.contents(atPath: scratch(output).text) == Data(content.utf8), "\(arguments)")
    }
  }

  @Test("A name of a template replaces no file that the list names further down, in whatever folder")
  func listedElsewhere() throws {
    for name in ["A/x.jpg", "B/x.webp", "B/x.grid.webp"] {
      try scratch.folder(String(name.prefix(1)))
      try FileManager.default.copyItem(atPath: photo.text, toPath: scratch(name).text)
    }
    let content = FileManager.default.contents(atPath: photo.text)
    try scratch.file("list", "A/x.jpg\nB/x.webp\nB/x.grid.webp\n")
    try scratch.file("requests", #"{"source":"A/x.jpg"}"# + "\nB/x.webp\nB/x.grid.webp\n")
    for arguments in [
      ["--files-from", "list", "-o", "B/%s.webp"], ["--requests", "requests", "-o", "B/%s.webp"],
      ["--files-from", "list", "-o", "B"],
    ] as [[PathBytes]] {
      let result = try Command.run(["thumbnail"] + arguments, folder: scratch.path)
      #expect(result.status == 1, "\(arguments)")
      #expect(result.errors.contains("another input"), "\(arguments): \(result.errors)")
      for name in ["A/x.jpg", "B/x.webp", "B/x.grid.webp"] {
        #expect(FileManager.default.contents(atPath: scratch(name).text) == content, "\(name) \(arguments)")
      }
    }
    // A list from a pipe cannot be read twice.
    let piped = try Command.run(
      ["thumbnail", "--files-from", "-", "-o", "B/%s.webp"], input: Array("A/x.jpg\nB/x.webp\n".utf8),
      folder: scratch.path)
    #expect(piped.status == 1)
    #expect(FileManager.default.contents(atPath: scratch("B/x.webp").text) == content)
  }

  @Test("A symbolic link to a folder inside of the output folder is not followed out of it") func linkedFolder() throws
  {
    try scratch.folder("outside")
    try scratch.folder("OUT")
    try scratch.link("OUT/2018", to: "../outside")
    try scratch.folder("IN/2018")
    #expect(rename(photo.text, scratch("IN/2018/photo.jpg").text) == 0)
    let result = try Command.run(["thumbnail", "IN", "-o", "OUT"], folder: scratch.path)
    #expect(result.status == 1)
    let error = try #require(try result.records.first?["error"] as? [String: Any])
    #expect(error["code"] as? String == "unwritable")
    #expect(scratch.files(below: "outside").isEmpty)
    // The folder itself may be a link: the user named it.
    try scratch.link("LINK", to: "outside")
    let linked = try Command.run(["thumbnail", "IN", "-o", "LINK"], folder: scratch.path)
    #expect(linked.status == 0)
    #expect(scratch.files(below: "outside") == ["2018/photo.grid.webp"])
  }

  @Test("What is written is writable by the user alone, whatever the umask") func permissions() throws {
    let result = try Command.run(
      ["thumbnail", "photo.jpg", "-o", "OUT"], folder: scratch.path,
      wrapper: ["sh", "-c", "umask 0; exec \"$@\"", "sh"])
    #expect(result.status == 0)
    for (name, mode) in [("OUT", 0o755), ("OUT/photo.grid.webp", 0o644)] as [(String, mode_t)] {
      var status = stat()
      #expect(stat(scratch(name).text, &status) == 0)
      #expect(status.st_mode & 0o777 == mode, "\(name)")
    }
  }
}
