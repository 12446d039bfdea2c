internal import FileSupport
internal import Foundation
internal import Glibc
internal import Testing

@testable internal import MediatoolCommand

@Suite("Inputs of the command") struct InputTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func paths(_ output: Command.Output) throws -> [String] {
    try output.records.map { try #require($0["path"] as? String) }
  }

  @Test func `Files of a folder come before its folders, each in the byte order of their names`() throws {
    for name in ["b/2", "b/1", "a", "B", "b.txt", "c/d/e", "é", "b-1"] { try scratch.file(name) }
    let result = try Command.run(["probe", scratch.path])
    #expect(result.status == 0)
    #expect(
      try paths(result) == ["B", "a", "b-1", "b.txt", "é", "b/1", "b/2", "c/d/e"].map { "\(scratch.path.text)/\($0)" })
  }

  @Test func `A slash behind a folder is not doubled`() throws {
    try scratch.file("a")
    let folder = PathBytes(scratch.path.text + "/")
    #expect(try paths(Command.run(["probe", folder])) == ["\(scratch.path.text)/a"])
  }

  @Test func `Hidden files and folders are walked only when asked for`() throws {
    for name in [".a", ".b/c", "d"] { try scratch.file(name) }
    #expect(try paths(Command.run(["probe", "."], folder: scratch.path)) == ["./d"])
    #expect(try paths(Command.run(["probe", "--hidden", "."], folder: scratch.path)) == ["./.a", "./d", "./.b/c"])
    // Named, it is wanted.
    #expect(try paths(Command.run(["probe", ".b"], folder: scratch.path)) == [".b/c"])
  }

  @Test func `Symbolic links lead neither out of a folder nor in circles`() throws {
    try scratch.file("outside/secret")
    try scratch.file("in/a")
    try scratch.file("in/sub/b")
    try scratch.link("in/c-inside", to: "sub/b")
    try scratch.link("in/d-outside", to: "../outside/secret")
    try scratch.link("in/e-loop", to: "..")
    try scratch.link("in/f-self", to: "f-self")
    try scratch.link("in/g-folder", to: "sub")
    try scratch.link("in/h-nothing", to: "nothing")
    try scratch.link("in/i-sibling", to: "\(scratch.path.text)/in-too")
    try scratch.file("in-too")
    let result = try Command.run(["probe", scratch("in")])
    #expect(result.status == 0)
    #expect(try paths(result).map { $0.split(separator: "/").last } == ["a", "c-inside", "b"])
    #expect(
      result.errors.contains(
        "skipped symbolic links that are broken, point to folders, or point outside the named folder: 6"))
  }

  @Test func `A folder is walked by the rules and in the order of a scan`() throws {
    for name in ["b/2", "a", "c/cache/1", "b.txt", "c/z.tmp", "c/keep"] { try scratch.file("in/\(name)") }
    try scratch.file("in/.mediaignore", "*.tmp\ncache/\n")
    let probed = try Command.run(["probe", "in"], folder: scratch.path)
    let scanned = try Command.run(["scan", "in", "--no-library"], folder: scratch.path)
    #expect(try paths(probed) == ["a", "b.txt", "b/2", "c/keep"].map { "in/\($0)" })
    #expect(try paths(scanned) == paths(probed))
    #expect(probed.errors.contains("skipped files and folders excluded by patterns: 2"))
    // Named, it is wanted.
    #expect(try paths(Command.run(["probe", "in/c/z.tmp"], folder: scratch.path)) == ["in/c/z.tmp"])
  }

  @Test func `A symbolic link that is named is followed`() throws {
    try scratch.file("folder/a")
    try scratch.link("link", to: "folder")
    try scratch.link("file", to: "folder/a")
    let result = try Command.run(["probe", scratch("link"), scratch("file")])
    #expect(result.status == 0)
    #expect(try paths(result) == ["\(scratch("link").text)/a", scratch("file").text])
  }

  @Test func `Pipes, sockets and devices are skipped in a walk and counted`() throws {
    try scratch.file("a")
    try scratch.fifo("b")
    try scratch.link("c", to: "b")
    try scratch.socket("d")
    let result = try Command.run(["probe", scratch.path])
    #expect(result.status == 0)
    #expect(try paths(result) == [scratch("a").text])
    #expect(result.errors.contains("skipped pipes, sockets or devices: 2"))
  }

  @Test func `Pipes, sockets and devices that are named are not opened`() throws {
    try scratch.fifo("fifo")
    try scratch.socket("socket")
    let result = try Command.run(["probe", scratch("fifo"), scratch("socket"), "/dev/zero", "/dev/null"])
    #expect(result.status == 1)
    let codes = try result.records.map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == Array(repeating: "unreadable", count: 4))
  }

  @Test func `A missing file has a result with only its error and path`() throws {
    let result = try Command.run(["probe", scratch("none"), scratch("none/below"), ""])
    #expect(result.status == 1)
    for record in try result.records {
      #expect(Set(record.keys) == ["path", "error"])
      #expect((record["error"] as? [String: Any])?["code"] as? String == "notFound")
    }
    #expect(try result.records.count == 3)
  }

  @Test func `A folder that may not be read has a result`() throws {
    try scratch.file("a")
    try scratch.file("closed/b")
    try scratch.file("z")
    chmod(scratch("closed").text, 0)
    // Root may read everything, unless it gives that up.
    let wrapper = getuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
    if getuid() == 0, !FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") {
      print("skipped, root may read everything, and there is no setpriv to give that up")
      return
    }
    let result = try Command.run(["probe", scratch.path], wrapper: wrapper)
    #expect(result.status == 1)
    #expect(try paths(result) == ["a", "z", "closed"].map { scratch($0).text })
    let codes = try result.records.map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == [nil, nil, "accessDenied"])
  }

  @Test func `Names that are not UTF-8 are found and reported in full`() throws {
    let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".txt".utf8)
    let file = try scratch.file(name)
    // Named, in a walk, in a list: three ways for the bytes to get lost.
    for arguments in [[file], [scratch.path], ["--files-from", "-"]] as [[PathBytes]] {
      let result = try Command.run(["probe"] + arguments, input: file.bytes + [10])
      #expect(result.status == 0)
      let record = try #require(try result.records.first)
      #expect(record["path"] as? String == "\(scratch.path.text)/caf\u{FFFD}.txt")
      let bytes = try #require(record["pathBytes"] as? String)
      #expect(Data(base64Encoded: bytes) == Data(file.bytes))
    }
  }

  @Test func `A name with the private characters that stand for bytes is found too`() throws {
    let file = try scratch.file("\u{10FFE9}\u{10FF80}")
    let result = try Command.run(["probe", file])
    #expect(result.status == 0)
    #expect(try paths(result) == [file.text])
    #expect(try result.records.first?["pathBytes"] == nil)
  }

  @Test func `As many files as a command line can have are all taken`() throws {
    let names = try (0..<3_000).map { try scratch.file("\($0)") }.map(\.lastComponent).map { PathBytes($0) }
    let result = try Command.run(["probe", "--jobs", "2"] + names + ["--digest", "none"], folder: scratch.path)
    #expect(result.status == 1)
    #expect(try paths(result) == names.map(\.text) + ["none"])
  }

  @Test func `A list names one file per line`() throws {
    for name in ["a", "b c", "d/e"] { try scratch.file(name) }
    try scratch.file("list", "a\n\nb c\nd\nnone\na")
    let result = try Command.run(["probe", "--files-from", "list", "d"], folder: scratch.path)
    #expect(result.status == 1)
    // What stands on the command line comes first; a folder in the list is walked.
    #expect(try paths(result) == ["d/e", "a", "b c", "d/e", "none", "a"])
  }

  @Test func `A list separated by NULs can name every file`() throws {
    for name in ["a\nb", "-", "c"] { try scratch.file(name) }
    let list = Array("a\nb\0-\0\0c".utf8)
    let result = try Command.run(["probe", "-0", "--files-from", "-"], input: list, folder: scratch.path)
    #expect(result.status == 0)
    #expect(try paths(result) == ["a\nb", "-", "c"])
  }

  @Test func `A list separated by NULs that is read as lines is reported and opens nothing`() throws {
    try scratch.file("a")
    let result = try Command.run(["probe", "--files-from", "-"], input: Array("a\0b\0".utf8), folder: scratch.path)
    #expect(result.status == 1)
    let error = try #require(try result.records.first?["error"] as? [String: Any])
    #expect(error["code"] as? String == "notFound")
    #expect((error["message"] as? String)?.contains("--null") == true)
  }

  @Test func `A line that is no path is reported, and the next is read`() throws {
    try scratch.file("a")
    let list = Array(repeating: UInt8(ascii: "x"), count: 300_000) + Array("\na\n".utf8)
    let result = try Command.run(["probe", "--files-from", "-"], input: list, folder: scratch.path)
    #expect(result.status == 1)
    #expect(try paths(result).map(\.count) == [100, 1])
  }

  @Test func `A list can come through a FIFO`() throws {
    try scratch.file("a")
    let fifo = try scratch.fifo("list")
    let command = try Command(["probe", "--files-from", fifo], folder: scratch.path)
    let descriptor = open(fifo.text, O_WRONLY | O_CLOEXEC)
    #expect(write(descriptor, "a\n", 2) == 2)
    close(descriptor)
    let result = try command.finish()
    #expect(result.status == 0)
    #expect(try paths(result) == ["a"])
  }

  @Test func `Standard input can be a file or a pipe`() throws {
    let file = try scratch.file("a", "hello")
    let piped = try Command.run(["probe", "--digest", "-"], input: Array("hello".utf8))
    let redirected = try Command(["probe", "--digest", "-"], input: .file(file.text)).finish()
    #expect(piped.status == 0)
    #expect(piped.output == redirected.output)
    let record = try #require(try piped.records.first)
    #expect(record["path"] as? String == "-")
    #expect(record["bytes"] as? Int == 5)
  }

  @Test func `Endless standard input is too large`() throws {
    let result = try Command(["probe", "-"], input: .file("/dev/zero")).finish()
    #expect(result.status == 1)
    #expect((try result.records.first?["error"] as? [String: Any])?["code"] as? String == "tooLarge")
  }

  @Test func `Closed standard input is unreadable`() throws {
    let result = try Command(["probe", "-"], input: .closed).finish()
    #expect(result.status == 1)
    #expect((try result.records.first?["error"] as? [String: Any])?["code"] as? String == "unreadable")
  }

  @Test("An error names what is wrong with a list or one of its lines, and a long line is shown in part")
  func listProblems()
    throws
  {
    try scratch.file("a.txt")
    let windows = try Command.run(["probe", "--files-from", "-"], input: Array("a.txt\r\n".utf8), folder: scratch.path)
    #expect(windows.status == 1)
    #expect(windows.errors.contains("carriage return"), "\(windows.errors)")
    let marked = try Command.run(
      ["probe", "--files-from", "-"], input: Array("\u{FEFF}a.txt\na.txt\n".utf8), folder: scratch.path)
    #expect(marked.status == 1)
    #expect(marked.errors.contains("byte order mark"), "\(marked.errors)")
    #expect(try marked.records.count == 2)
    let long = try Command.run(
      ["probe", "--files-from", "-"], input: [UInt8](repeating: 0x61, count: 70_000), folder: scratch.path)
    #expect(long.status == 1)
    #expect(long.errors.utf8.count < 300)
    #expect(long.output.utf8.count < 400)
  }
}
