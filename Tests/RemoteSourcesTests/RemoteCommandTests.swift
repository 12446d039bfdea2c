internal import Dispatch
internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

/// `mediatool probe` and `thumbnail` with URLs.
@Suite("URLs on the command line", .timeLimit(.minutes(30))) struct RemoteCommandTests {
  private func run(_ arguments: [String], input: String = "", environment: [String] = []) throws -> Tool.Output {
    let cleared = [
      "-u", "AWS_ACCESS_KEY_ID", "-u", "AWS_ENDPOINT_URL_S3", "-u", "AWS_ENDPOINT_URL", "-u", "AWS_PROFILE",
    ]
    return try Tool("env", package: "coreutils").run(
      cleared + ["HOME=/nonexistent"] + environment + [BuiltProduct.path("mediatool")] + arguments,
      input: Array(input.utf8), seconds: 600)
  }

  private func lines(_ output: Tool.Output) throws -> [[String: Any]] {
    try output.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func server(_ fixture: String) throws -> ScriptedServer {
    let bytes = try Fixture.bytes(fixture)
    return try ScriptedServer { request, connection in
      if request.target.hasPrefix("/missing") {
        connection.respond("404 Not Found")
      } else {
        connection.serve(bytes, request)
      }
      return true
    }
  }

  private let photo = "camera-roll/IMG_0001.jpg"

  @Test("probe of a URL has the facts of the file, bytesRead and requests") func probe() throws {
    let server = try server(photo)
    let remote = try run([
      "probe", "--json", "--allow-http", "--allow-source", "127.0.0.1", server.url("/a/IMG_0001.jpg?x=y"),
    ])
    #expect(remote.status == 0, "\(remote.errors)")
    var found = try #require(try lines(remote).first)
    #expect(found.removeValue(forKey: "path") as? String == server.url("/a/IMG_0001.jpg?x=y"))
    #expect(found.removeValue(forKey: "requests") as? Int == 1)
    #expect((found.removeValue(forKey: "bytesRead") as? Int ?? 0) > 0)
    var local = try #require(try lines(try run(["probe", "--json", Fixture.path(photo)])).first)
    local["path"] = nil
    #expect(NSDictionary(dictionary: found) == NSDictionary(dictionary: local))
  }

  @Test("a loopback address is refused by default, and so is http") func refusals() throws {
    let server = try server(photo)
    for (arguments, words) in [
      (["--allow-http", server.url()], "loopback"), ([server.url()], "--allow-http"),
      (["--allow-http", "--allow-source", "example.org", "http://169.254.169.254/latest"], "metadata"),
    ] {
      let output = try run(["probe", "--json"] + arguments)
      #expect(output.status == 1)
      let error = try #require(try lines(output).first?["error"] as? [String: Any])
      #expect(error["code"] as? String == "sourceNotAllowed")
      #expect(error["retry"] as? String == "never")
      #expect((error["message"] as? String)?.contains(words) == true, "\(error)")
    }
    #expect(server.seen.isEmpty)
  }

  @Test("requests name URLs with bytes and etag, and have their ids") func requests() throws {
    let server = try server(photo)
    let bytes = try Fixture.bytes(photo).count
    let requests = """
      {"id":1,"source":"\(server.url())","bytes":\(bytes),"etag":"1"}
      {"id":2,"source":"\(server.url())","bytes":7}
      {"id":3,"source":"\(server.url())","etag":"\\"2\\""}
      {"id":4,"source":"\(server.url("/missing"))"}
      {"id":5,"source":"\(Fixture.path(photo))"}
      {"id":6,"source":"ftp://example.org/x"}
      \(server.url())

      """
    let output = try run(
      ["probe", "--json", "--requests", "-", "--allow-http", "--allow-source", "127.0.0.1", "--results-only-status"],
      input: requests)
    #expect(output.status == 0, "\(output.errors)")
    let found = try lines(output)
    #expect(found.prefix(6).map { $0["id"] as? Int } == [1, 2, 3, 4, 5, 6])
    let codes = found.prefix(7).map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == [nil, "changed", "changed", "notFound", nil, "unsupported", nil])
    #expect((found[1]["error"] as? [String: Any])?["retry"] as? String == "later")
    #expect(found[4]["requests"] == nil)
  }

  @Test("thumbnail of a URL takes one request and the name of the file") func thumbnail() throws {
    let server = try server(photo)
    let folder = try TemporaryFolder()
    let output = try run([
      "thumbnail", "--json", "--allow-http", "--allow-source", "127.0.0.1", server.url("/p/IMG_0001.jpg"), "-s", "grid",
      "-o",
      folder.path("out"),
    ])
    #expect(output.status == 0, "\(output.errors)")
    let found = try #require(try lines(output).first)
    #expect(found["requests"] as? Int == 1)
    #expect(FileManager.default.fileExists(atPath: folder.path("out/IMG_0001.grid.webp")))
    #expect(server.seen.first?.range == nil)
  }

  @Test("s3 without keys reports what to set, and this machine as the reason") func noKeys() throws {
    let output = try run(["probe", "--json", "--s3-endpoint", "http://127.0.0.1:9", "s3://bucket/key.jpg"])
    let error = try #require(try lines(output).first?["error"] as? [String: Any])
    #expect(error["code"] as? String == "noCredentials")
    #expect(error["retry"] as? String == "elsewhere")
  }

  @Test("s3 is signed with the keys of the environment, for the endpoint of the environment") func signed() throws {
    let server = try server(photo)
    let output = try run(
      ["probe", "--json", "s3://bucket/a b/ü.jpg"],
      environment: [
        "AWS_ACCESS_KEY_ID=AKID", "AWS_SECRET_ACCESS_KEY=secret", "AWS_SESSION_TOKEN=token", "AWS_REGION=eu-west-1",
        "AWS_ENDPOINT_URL_S3=http://127.0.0.1:\(server.port)",
      ])
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    let request = try #require(server.seen.first)
    #expect(request.target == "/bucket/a%20b/%C3%BC.jpg")
    #expect(request.headers["authorization"]?.contains("Credential=AKID/") == true)
    #expect(request.headers["authorization"]?.contains("/eu-west-1/s3/aws4_request") == true)
    #expect(request.headers["x-amz-security-token"] == "token")
  }

  /// A server that does not answer, with what it signals when it has a request.
  private func silentServer() throws -> (server: ScriptedServer, arrived: DispatchSemaphore, end: DispatchSemaphore) {
    let (arrived, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try ScriptedServer { _, _ in
      arrived.signal()
      end.wait()
      return false
    }
    return (server, arrived, end)
  }

  /// Starts a program, with pipes for its input and output.
  private func start(_ program: String, _ arguments: [String]) throws -> (process: Process, input: Pipe, output: Pipe) {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, input, output)
  }

  private let silentOptions = ["--json", "--allow-http", "--allow-source", "127.0.0.1"]

  @Test("Ctrl-C ends requests that the server does not answer") func interrupted() throws {
    let (server, arrived, end) = try silentServer()
    defer { end.signal() }
    let (process, _, output) = try start(BuiltProduct.path("mediatool"), ["probe"] + silentOptions + [server.url()])
    arrived.wait()
    process.interrupt()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(String(decoding: text, as: UTF8.self).contains(#""code":"cancelled""#))
  }

  @Test("the end of the parent ends requests that the server does not answer") func orphaned() throws {
    let (server, arrived, end) = try silentServer()
    defer { end.signal() }
    let command = ([BuiltProduct.path("mediatool"), "probe", "--requests", "-"] + silentOptions).joined(separator: " ")
    let (shell, input, output) = try start("/bin/sh", ["-c", "exec 3<&0; \(command) <&3 & wait"])
    try input.fileHandleForWriting.write(contentsOf: Data("\(server.url())\n".utf8))
    arrived.wait()
    kill(shell.processIdentifier, SIGKILL)
    shell.waitUntilExit()
    // The command has the other end until it ends. Its input does not end before.
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(!String(decoding: text, as: UTF8.self).contains("\"end\""))
    try input.fileHandleForWriting.close()
  }

  @Test("a command line without URLs does not start the program that reads them") func local() throws {
    let folder = try TemporaryFolder()
    // A copy without the other program beside it.
    for name in ["mediatool", "mediatool-worker"] { _ = try BuiltProduct.copy(name, to: folder) }
    let local = try Tool(executable: URL(fileURLWithPath: folder.path("mediatool"))).run(["probe", Fixture.path(photo)])
    #expect(local.status == 0, "\(local.errors)")
    let remote = try Tool(executable: URL(fileURLWithPath: folder.path("mediatool"))).run([
      "probe", "https://example.org/x",
    ])
    #expect(remote.status == 70)
    #expect(remote.errors.contains("mediatool-remote"))
  }
}
