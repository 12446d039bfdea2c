internal import Foundation
internal import TestSupport
internal import Testing

/// The requests that `mediatool batch --status` sends to a bucket.
@Suite("Requests for the state of shards", .timeLimit(.minutes(30))) struct ShardRequestTests {
  private func batch(_ arguments: [String], port: Int, keys: [String] = []) throws -> Tool.Output {
    try Tool("env", package: "coreutils").run(
      ["-u", "AWS_PROFILE", "HOME=/nonexistent"] + keys + [BuiltProduct.path("mediatool"), "batch", "--json"]
        + arguments + ["--s3-endpoint", "http://127.0.0.1:\(port)"], seconds: 600)
  }

  @Test("a session that expires in the middle ends the run, and the shard is not done") func expired() throws {
    let photo = try Array(Data(contentsOf: URL(fileURLWithPath: Fixture.path("camera-roll/IMG_0001.jpg"))))
    let server = try ScriptedServer { request, connection in
      if request.target.hasSuffix("/1.jpg") {
        connection.serve(photo, request)
      } else {
        connection.respond("400 Bad Request", body: Array("<Error><Code>ExpiredToken</Code></Error>".utf8))
      }
      return true
    }
    let scratch = try TemporaryFolder()
    let list = try scratch.write(Array("s3://media/1.jpg\ns3://media/2.jpg\n".utf8), to: "1.txt")
    let output = try batch(
      ["--list", list, "-o", scratch.path("out")], port: server.port,
      keys: ["AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b", "AWS_SESSION_TOKEN=c"])
    #expect(output.status == 70, "\(output.text) \(output.errors)")
    #expect(output.errors.contains("S3 refused the keys"), "\(output.errors)")
    #expect(output.errors.contains("ExpiredToken"), "\(output.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out/1.stats.json")))
  }

  @Test("the statistics state what the sources have cost; the results do not") func cost() throws {
    let photo = try Array(Data(contentsOf: URL(fileURLWithPath: Fixture.path("camera-roll/IMG_0001.jpg"))))
    let server = try ScriptedServer { request, connection in
      connection.serve(photo, request)
      return true
    }
    let scratch = try TemporaryFolder()
    let list = try scratch.write(Array("s3://media/1.jpg\ns3://media/2.jpg\n".utf8), to: "1.txt")
    let made = ["--list", list, "-o", scratch.path("out"), "--s3-credentials", "none"]
    let output = try batch(made, port: server.port)
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    let stated = try #require(try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any])
    #expect(stated["requests"] as? Int == server.seen.count)
    #expect(stated["bytesRead"] as? Int == 2 * photo.count)
    let results = try String(contentsOfFile: scratch.path("out/1.ndjson"), encoding: .utf8)
    #expect(!results.contains("bytesRead"))
    let status = try batch(["--status", scratch.path("out")], port: server.port)
    #expect(status.text.contains("\"bytesRead\":\(2 * photo.count)"), "\(status.text)")
  }

  @Test("the statistics of a shard are read once") func once() throws {
    let server = try ScriptedServer { request, connection in
      if request.target.contains("list-type=2") {
        let keys = (0..<3).map { "<Contents><Key>shards/\($0).stats.json</Key></Contents>" }.joined()
        let page = "<ListBucketResult><IsTruncated>false</IsTruncated>\(keys)</ListBucketResult>"
        connection.respond("200 OK", body: Array(page.utf8))
      } else {
        connection.serve(Array("{}".utf8), request)
      }
      return true
    }
    let output = try Tool("env", package: "coreutils").run(
      [
        "-u", "AWS_PROFILE", "HOME=/nonexistent", BuiltProduct.path("mediatool"), "batch", "--status",
        "s3://media/shards", "--json", "--s3-credentials", "none", "--s3-endpoint", "http://127.0.0.1:\(server.port)",
      ], seconds: 600)
    #expect(output.status == 1, "\(output.text) \(output.errors)")
    let objects = server.seen.map(\.target).filter { !$0.contains("list-type=2") }
    #expect(objects.sorted() == (0..<3).map { "/media/shards/\($0).stats.json" })
  }
}
