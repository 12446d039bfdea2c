internal import Foundation
internal import TestSupport
internal import Testing

/// The requests that `mediatool batch --status` sends to a bucket.
@Suite("Requests for the state of shards", .timeLimit(.minutes(30))) struct ShardRequestTests {
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
