internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// How a run that answers an engine ends: interrupted, or with the process that started it.
extension StreamTests {
  @Test("A run that did not reach its end has no trailer") func interrupted() throws {
    try scratch.file("a")
    let command = try Command(
      ["probe", "--requests", "-", "--results-only-status"], input: .pipe, drains: false, folder: scratch.path)
    command.write(Array("a\n".utf8))
    #expect(command.readLine().contains("\"path\":\"a\""))
    command.send(SIGTERM)
    let result = try command.finish()
    #expect(result.status == 130)
    #expect(!result.output.contains("end"))
  }

  @Test("A run ends with the process that started it, although somebody else holds its input open") func orphan() throws
  {
    // The shell starts it in the background, and waits until it is killed.
    let program = BuiltProduct.path("mediatool")
    let script = "\(program) probe --requests - --heartbeat 0.01 <\"$0\" 2>&1 & wait"
    let pipe = scratch("pipe")
    #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
    let held = pipe.withCString { open($0, O_RDWR | O_CLOEXEC) }
    defer { close(held) }
    let shell = Process()
    (shell.executableURL, shell.arguments) = (URL(fileURLWithPath: "/bin/sh"), ["-c", script, pipe.text])
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    var stated = ""
    while !stated.contains("reporter:status") {
      let byte = try #require(try output.fileHandleForReading.read(upToCount: 1))
      stated += String(decoding: byte, as: UTF8.self)
    }
    // Not by a signal that a thread of the tests may have blocked for its children.
    kill(shell.processIdentifier, SIGKILL)
    // The end of the command closes the last descriptor of the pipe.
    _ = try output.fileHandleForReading.readToEnd()
  }

  /// Starts a script of a shell, and returns its outputs.
  private func start(_ script: String, _ arguments: [String]) throws -> (shell: Process, output: Pipe, errors: Pipe) {
    let (shell, output, errors) = (Process(), Pipe(), Pipe())
    (shell.executableURL, shell.arguments) = (URL(fileURLWithPath: "/bin/sh"), ["-c", script] + arguments)
    (shell.standardOutput, shell.standardError) = (output, errors)
    try shell.run()
    return (shell, output, errors)
  }

  @Test("A run whose list is a file goes on when the process that started it has ended") func background() throws {
    let count = 3_000
    // More results than a pipe holds, so that the run waits for this test.
    let list = try scratch.file("list", String(repeating: "missing\n", count: count))
    let program = BuiltProduct.path("mediatool")
    let script = "\(program) probe --requests - --results-only-status -q --heartbeat 0.01 <\"$0\" & wait"
    let (shell, output, errors) = try start(script, [list.text])
    func readHeartbeats(_ count: Int) throws {
      var found = 0
      while found < count {
        let byte = try #require(try errors.fileHandleForReading.read(upToCount: 1))
        if byte == Data("\n".utf8) { found += 1 }
      }
    }
    try readHeartbeats(1)
    // Not waited for: the run has its descriptors, by which Foundation would see its end.
    kill(shell.processIdentifier, SIGKILL)
    // Before each of them it would have noticed the end of the shell. A pipe may have some from before.
    try readHeartbeats(100)
    let text = try #require(try output.fileHandleForReading.readToEnd())
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == count + 1)
    #expect(lines.last?.hasPrefix("{\"end\":{\"failed\":\(count),\"inputs\":\(count)") == true)
  }

  @Test("A shard of a list from a pipe ends with the process that started it") func orphanedShard() throws {
    let pipe = scratch("pipe")
    #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
    let held = pipe.withCString { open($0, O_RDWR | O_CLOEXEC) }
    defer { close(held) }
    let script = "\(BuiltProduct.path("mediatool")) batch --list - --name 1 --tar - -q <\"$0\" & wait"
    let (shell, output, errors) = try start(script, [pipe.text])
    #expect(write(held, "missing\n", 8) == 8)
    _ = try #require(try output.fileHandleForReading.read(upToCount: 512))
    // Not waited for: the run has its descriptors, by which Foundation would see its end.
    kill(shell.processIdentifier, SIGKILL)
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(rest.range(of: Data("__stats__".utf8)) == nil, "its list has no end")
    let message = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(message.contains("interrupted after 1 file"), "\(message)")
  }
}
