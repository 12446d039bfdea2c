internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// The command with files behind URLs that are large or slow.
@Suite("Large and slow URLs", .serialized, .timeLimit(.minutes(30))) struct LargeSourceTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private let options = ["--json", "--allow-http", "--allow-source", "127.0.0.1", "--source-seconds", "3600"]

  private func run(_ arguments: [String]) throws -> Tool.Output {
    try Tool("env", package: "coreutils").run(
      ["-u", "AWS_PROFILE", "HOME=/nonexistent", "TMPDIR=\(scratch.url.path)", BuiltProduct.path("mediatool")]
        + arguments, seconds: 1_200)
  }

  private func results(_ output: Tool.Output) throws -> [[String: Any]] {
    try output.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// A video with 120 MB that no frame needs, behind its last box.
  private func server() throws -> ScriptedServer {
    let padding = 120_000_000
    let size = UInt32(padding + 8)
    let header = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array("free".utf8)
    let video = try Fixture.bytes("camera-roll/VID_0008.mp4") + header + [UInt8](repeating: 0, count: padding)
    return try ScriptedServer { request, connection in
      connection.serve(video, request)
      return true
    }
  }

  @Test("a video of more than 100 MiB behind a URL has a thumbnail") func thumbnail() throws {
    let server = try server()
    let arguments = ["thumbnail"] + options + [server.url("/large.mp4"), "-s", "grid", "-o", scratch.path("out")]
    let output = try run(arguments + ["--deadline", "600"])
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    #expect(FileManager.default.fileExists(atPath: scratch.path("out/large.grid.webp")))
  }

  @Test("a video of more than 100 MiB behind a URL has a digest, and nothing stays in the temporary folder")
  func digest() throws {
    let server = try server()
    let output = try run(["probe", "--digest"] + options + [server.url("/large.mp4"), "--deadline", "600"])
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    let found = try #require(try results(output).first)
    #expect((found["sha256"] as? String)?.count == 64, "\(found)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
  }

  @Test("a shard has facts and images of a video of more than 100 MiB") func shard() throws {
    let server = try server()
    let list = try scratch.write(Array("\(server.url("/large.mp4"))\n".utf8), to: "list.txt")
    let output = try run(["batch", "--list", list, "-o", scratch.path("shards"), "-s", "grid"] + options)
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    let shard = try #require(try results(output).first)
    #expect(shard["inputs"] as? Int == 1)
    #expect((shard["codes"] as? [String: Any])?["tooLarge"] == nil, "\(shard)")
  }

  @Test("a source that stops sending fails at the deadline of the file, and can be tried later")
  func deadline() throws {
    let server = try ScriptedServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: \"1\"\r\n\r\nx")
      var byte: UInt8 = 0
      // Until the client has closed the connection.
      while recv(connection.socket, &byte, 1, 0) > 0 {}
      return false
    }
    for command in [["probe"], ["thumbnail", "-s", "grid", "-o", scratch.path("out")]] {
      let output = try run(command + options + ["--deadline", "1", server.url("/slow.jpg")])
      #expect(output.status == 1)
      let error = try #require(try results(output).first?["error"] as? [String: Any], "\(output.errors)")
      #expect(error["code"] as? String == "sourceUnavailable", "\(error)")
      #expect(error["retry"] as? String == "later")
    }
  }
}
