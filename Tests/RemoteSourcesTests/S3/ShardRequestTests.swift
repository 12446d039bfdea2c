internal import Dispatch
internal import Foundation
internal import MediaEngine
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

  /// The statistics of a shard whose files have these tags.
  private static func statistics(of shard: Int) -> [UInt8] {
    Array(
      """
      {"shard":"\(shard)","inputs":3,"failed":1,"codes":{"corrupt":1},"images":2,"seconds":1,\
      "recipe":{"sha256":"a","sizes":["grid"]},"tar":{"bytes":7,"sha256":"b","stamp":"\\"tar-\(shard)\\""},\
      "results":{"bytes":8,"sha256":"c","stamp":"\\"results-\(shard)\\""},"versions":{"mediatool":"1","engine":"2"}}
      """.utf8)
  }

  /// A page of a listing, in which the tar file of the last shard has an older tag.
  private static func page(_ shards: Range<Int>, next: String?, last: Int) -> [UInt8] {
    func object(_ name: String, _ bytes: Int, _ tag: String) -> String {
      "<Contents><Key>shards/\(name)</Key><ETag>&quot;\(tag)&quot;</ETag><Size>\(bytes)</Size></Contents>"
    }
    let objects = shards.map { shard in
      object("\(shard).ndjson", 8, "results-\(shard)") + object("\(shard).stats.json", 9, "s")
        + object("\(shard).tar", 7, shard == last ? "older" : "tar-\(shard)")
    }
    let token = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
    return Array(
      "<ListBucketResult><IsTruncated>\(next != nil)</IsTruncated>\(token)\(objects.joined())</ListBucketResult>".utf8)
  }

  @Test("many shards cost a listing and one request each, of which some are sent at once") func many() throws {
    let (count, together) = (200, 8)
    let arrived = Locked<(now: Int, most: Int, begun: Int)>((0, 0, 0))
    let gate = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { request, connection in
      if request.target.contains("list-type=2") {
        let isSecond = request.target.contains("continuation-token=")
        connection.respond(
          "200 OK",
          body: Self.page(
            isSecond ? count / 2..<count : 0..<count / 2, next: isSecond ? nil : "second", last: count - 1))
      } else if request.method == "HEAD" {
        connection.write("HTTP/1.1 200 OK\r\nETag: \"tar-\(count - 1)\"\r\nContent-Length: 7\r\n\r\n")
      } else {
        let number = arrived.withLock { counts in
          counts.begun += 1
          counts.now += 1
          counts.most = max(counts.most, counts.now)
          return counts.begun
        }
        // The first ones are answered when as many have arrived.
        if number < together { _ = gate.wait(timeout: .now() + 60) }
        if number == together { for _ in 1..<together { gate.signal() } }
        arrived.withLock { $0.now -= 1 }
        let shard = request.target.split(separator: "/").last.flatMap { Int($0.prefix { $0 != "." }) } ?? -1
        connection.serve(Self.statistics(of: shard), request)
      }
      return true
    }
    let output = try batch(["--status", "s3://media/shards", "--s3-credentials", "none"], port: server.port)
    #expect(output.status == 0, "\(output.text.suffix(500)) \(output.errors)")
    #expect(
      output.text.contains(
        #"{"end":{"changed":0,"codes":{"corrupt":200},"done":0,"failed":200,"failing":200,"inputs":600"#))
    let lines = output.text.split(separator: "\n").dropLast()
    #expect(lines.count == count)
    // A tag that differs from that of the statistics may be an old one: that object is asked for.
    #expect(server.seen.filter { $0.method == "HEAD" }.map(\.target) == ["/media/shards/\(count - 1).tar"])
    #expect(server.seen.count == 2 + count + 1)
    let most = arrived.withLock { $0.most }
    #expect((together...32).contains(most), "\(most)")
  }
}
