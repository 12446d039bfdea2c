internal import FileSupport
internal import Foundation
internal import Glibc
internal import Testing

@testable internal import MediatoolCommand

@Suite("Exit statuses and signals") struct EndingTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func `A run without failures exits with 0`() throws {
    let file = try scratch.file("a")
    let result = try Command.run(["probe", file])
    #expect(result.status == 0)
    #expect(result.errors == "")
  }

  @Test func `Files of a killed run with the same process number do not stop this one`() throws {
    let folder = scratch.path
    for number in 1...2_000 {
      let path = folder.appending(".mediatool-\(getpid())-\(number).tmp".utf8)
      let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
      #expect(descriptor >= 0)
      close(descriptor)
    }
    try AtomicFile.write([1, 2, 3], to: folder.appending("a".utf8))
    #expect(folder.appending("a".utf8).withCString { access($0, R_OK) } == 0)
  }

  @Test func `An empty folder exits with 0`() throws {
    let result = try Command.run(["probe", scratch.path])
    #expect(result.status == 0)
    #expect(result.output == "")
    let list = try Command.run(["probe", "--files-from", "-"])
    #expect(list.status == 0)
  }

  @Test func `One failed file exits with 1, and the others are done`() throws {
    let file = try scratch.file("a")
    let result = try Command.run(["probe", file, scratch("none"), file])
    #expect(result.status == 1)
    #expect(try result.records.map { $0["error"] == nil } == [true, false, true])
  }

  @Test(arguments: [
    (["probe"], "Missing input"), (["thumbnail"], "Missing input"), (["probe", "--what", "a"], "--what"),
    (["what"], "what"),
    (["probe", "-0", "a"], "--null"), (["probe", "-", "-"], "once"), (["probe", "--files-from", "-", "-"], "once"),
    (["probe", "--jobs", "0", "a"], "'0'"), (["probe", "--jobs", "257", "a"], "1 to 256"),
    (["probe", "--json", "--table", "a"], "--table"), (["probe", "--deadline", "0", "a"], "above 0"),
    (["probe", "--deadline", "nan", "a"], "above 0"), (["probe", "--files-from", "/nowhere"], "/nowhere"),
    (["probe", "--files-from", "/tmp"], "folder"), (["thumbnail", "--size", "small", "a"], "avatar"),
    (["thumbnail", "--fit", "fill", "a"], "'contain' and 'cover'"),
    (["thumbnail", "--gravity", "north", "a"], "attention"),
    (["thumbnail", "--gravity", "centre", "--size", "256", "a"], "--fit cover"),
    (["thumbnail", "--crop", "1,2,3", "a"], "X,Y,W,H"), (["thumbnail", "--format", "gif", "a"], "'avif'"),
    (["thumbnail", "--quality", "101", "a"], "1 to 100"), (["thumbnail", "--max-bytes", "lots", "a"], "Ki"),
    (["thumbnail", "--quality", "1", "--max-bytes", "1k", "a"], "--max-bytes"),
    (["thumbnail", "--background", "red", "a"], "#rrggbb"), (["thumbnail", "--color-space", "cmyk", "a"], "'p3'"),
    (["thumbnail", "--max-pixels", "-1", "a"], "--max-pixels"),
    (["thumbnail", "--size", "9", "--size", "09", "a"], "twice"),
    (["thumbnail", "--animated", "--format", "jpeg", "a"], "jpeg"), (["thumbnail", "-o", "", "a"], "--output"),
  ])
  func `A wrong command line exits with 64 and states what is allowed`(arguments: [String], hint: String) throws {
    let result = try Command.run(arguments.map { PathBytes($0) }, folder: scratch.path)
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.contains(hint), "\(result.errors)")
    #expect(scratch.files().isEmpty)
  }

  @Test func `A wrong value is repeated without control characters`() throws {
    let value = PathBytes([0x1B] + Array("[31m".utf8) + [0xE9])
    let result = try Command.run(["thumbnail", "--size", value, "a"])
    #expect(result.status == 64)
    #expect(result.errors.contains(#"'\u{1B}[31m\xE9'"#))
  }

  @Test func `An input that is the output folder exits with 64`() throws {
    try scratch.file("pictures/a")
    let result = try Command.run(["thumbnail", "pictures", "-o", "pictures/../pictures/"], folder: scratch.path)
    #expect(result.status == 64)
    #expect(result.errors.contains("pictures is both input and output folder"))
  }

  @Test func `A full disk below the results exits with 70`() throws {
    let file = try scratch.file("a")
    let result = try Command.run(["probe", file], output: .file("/dev/full"))
    #expect(result.status == 70)
    #expect(result.errors == "mediatool: cannot write the results: No space left on device\n")
  }

  @Test func `Closed standard output exits with 70, and nothing is written elsewhere`() throws {
    let file = try scratch.file("a")
    for arguments in [["probe", file], ["thumbnail", file, "-o", scratch("out")]] as [[PathBytes]] {
      let result = try Command.run(arguments, output: .closed)
      #expect(result.status == 70)
      #expect(result.errors.contains("cannot write the results"))
    }
    #expect(scratch.files() == ["a"])
  }

  @Test func `An output folder that cannot be written exits with 70 before anything is done`() throws {
    let file = try scratch.file("a")
    for folder in [file, file.appending("below".utf8), "/proc/none"] as [PathBytes] {
      let result = try Command.run(["thumbnail", file, file, "-o", folder])
      #expect(result.status == 70)
      #expect(result.output == "")
      #expect(result.errors.hasPrefix("mediatool: cannot write to the output folder \(folder.text): "))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `A reader that closes the pipe ends the command silently`() throws {
    try scratch.file("a")
    let list = try scratch.file("list", String(repeating: "a\n", count: 100_000))
    let command = try Command(["probe", "--files-from", list], drains: false, folder: scratch.path)
    #expect(command.readLine().contains(#""path":"a""#))
    command.closeOutput()
    let result = try command.finish()
    #expect(result.signal == SIGPIPE)
    #expect(result.errors == "")
  }

  @Test func `A reader that closes the pipe ends the command even while it waits for more inputs`() throws {
    try scratch.file("a")
    let command = try Command(["probe", "--files-from", "-"], input: .pipe, drains: false, folder: scratch.path)
    command.write(Array("a\n".utf8))
    #expect(command.readLine().contains(#""path":"a""#))
    command.closeOutput()
    // The list goes on after this one: it has no end.
    command.write(Array("a\n".utf8))
    #expect(try command.finish().signal == SIGPIPE)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `A signal stops the command, which reports where`(signal: Int32) throws {
    for name in ["a", "b"] { try scratch.file(name) }
    // The list has no end yet, so that the command surely runs when the signal comes.
    let command = try Command(["probe", "--files-from", "-"], input: .pipe, drains: false, folder: scratch.path)
    command.write(Array("a\nb\n".utf8))
    // Results come as soon as they are there, not when a buffer is full or the list ends.
    #expect(command.readLine().contains(#""path":"a""#))
    #expect(command.readLine().contains(#""path":"b""#))
    command.send(signal)
    let result = try command.finish()
    #expect(result.status == 130)
    #expect(result.errors == "mediatool: interrupted after file 2, b\n")
  }

  @Test func `A signal before the first file is reported`() throws {
    let fifo = try scratch.fifo("list")
    let command = try Command(["probe", "--files-from", fifo], folder: scratch.path)
    // Opening ends when the command has opened the other end, which it does after it has begun to watch for signals.
    let descriptor = open(fifo.text, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    command.send(SIGINT)
    let result = try command.finish()
    #expect(result.status == 130)
    #expect(result.errors == "mediatool: interrupted before the first file was finished\n")
  }

  @Test func `A second signal ends the command even if nobody reads its results`() throws {
    try scratch.file("a")
    let list = try scratch.file("list", String(repeating: "a\n", count: 100_000))
    let command = try Command(["probe", "--files-from", list], drains: false, folder: scratch.path)
    // All lines are the same. Once no further one fits into the pipe, the command cannot go on.
    let line = command.readLine().utf8.count + 1
    #expect(command.waitForOutput(bytes: Command.smallPipe / line * line - line))
    // Two different ones, for the second of two that are the same may be lost.
    command.send(SIGINT)
    command.send(SIGTERM)
    #expect(try command.finish().status == 130)
    command.closeOutput()
  }

  @Test func `An ignored signal stays ignored`() throws {
    try scratch.file("a")
    let command = try Command(
      ["probe", "--files-from", "-"], input: .pipe, drains: false, folder: scratch.path,
      wrapper: ["env", "--ignore-signal=INT"])
    command.write(Array("a\n".utf8))
    #expect(command.readLine().contains(#""path":"a""#))
    command.send(SIGINT)
    command.write(Array("a\n".utf8))
    #expect(command.readLine().contains(#""path":"a""#))
    command.closeInput()
    #expect(try command.finish().status == 0)
  }
}
