internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: while another process has a database") struct BusyDatabaseTests {
  /// Holds the write lock of a database until its input ends.
  private static let holder = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1], timeout=3600, isolation_level=None)
    db.execute('BEGIN IMMEDIATE')
    print('held', flush=True)
    sys.stdin.read()
    db.execute('ROLLBACK')
    """

  private static let tus = ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"]

  @Test(
    "Changes are answered with 503 and Retry-After, reading goes on, and afterwards everything is there and works",
    arguments: ["service.sqlite", "catalogue.sqlite"])
  func busy(database: String) async throws {
    let folder = try TemporaryFolder()
    try await ServerProgram.serving(folder.path("library")) { _, port in
      @Sendable func request(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
      ) async throws -> RawResponse {
        try await RawConnection.request(port: port, method, target, fields, body: body)
      }
      let first = UploadServer.text(5_000)
      let created = try await request("POST", "/v1/attachments", body: first)
      let id = try #require(created.json["id"] as? String)
      let text = UploadServer.text(20_000)
      let upload = try #require(
        try await request("POST", "/v1/uploads", ["Tus-Resumable": "1.0.0", "Upload-Length": "\(text.count)"])[
          "Location"])
      let half = try await request(
        "PATCH", upload, Self.tus.merging(["Upload-Offset": "0"]) { $1 }, body: Array(text[..<10_000]))
      #expect(half["Upload-Offset"] == "10000")

      let holding = try LiveProgram(["python3", "-c", Self.holder, folder.path("library/\(database)")])
      #expect(await holding.output.has("held"), "\(holding.errors.text)")
      async let change = request(
        "PATCH", "/v1/attachments/\(id)", ["Content-Type": "application/json"],
        body: Array(#"{"title": "later", "labels": ["g:1"]}"#.utf8))
      async let sent = request(
        "PATCH", upload, Self.tus.merging(["Upload-Offset": "10000"]) { $1 }, body: Array(text[10_000...]))
      async let other = request("POST", "/v1/attachments", body: UploadServer.text(7_000))
      for _ in 0..<5 {
        #expect(try await request("GET", "/v1/attachments/\(id)/original").body == first)
        #expect(try await request("GET", "/v1/tray").status == 200)
      }
      for answer in [try await change, try await sent, try await other] {
        #expect(answer.status == 503, "\(answer.status): \(answer.text)")
        #expect(answer["Retry-After"] != nil, "\(answer.status): \(answer.text)")
        #expect(answer.json["code"] as? String == "busy")
        #expect(!answer.text.contains("sqlite"))
      }
      try holding.closeInput()
      #expect(await holding.end().status == 0)

      // What was acknowledged is there, and every request succeeds the second time.
      let facts = try await request("GET", "/v1/attachments/\(id)")
      #expect(facts.json["title"] == nil)
      #expect(facts.json["labels"] as? [String] == [])
      let changed = try await request(
        "PATCH", "/v1/attachments/\(id)", ["Content-Type": "application/json"],
        body: Array(#"{"title": "later", "labels": ["g:1"]}"#.utf8))
      #expect(changed.status == 200)
      #expect(changed.json["title"] as? String == "later")
      let offset = try #require(
        try await request("HEAD", upload, ["Tus-Resumable": "1.0.0"])["Upload-Offset"].flatMap { Int($0) })
      #expect(offset >= 10_000)
      if offset < text.count {
        let rest = try await request(
          "PATCH", upload, Self.tus.merging(["Upload-Offset": "\(offset)"]) { $1 }, body: Array(text[offset...]))
        #expect(rest.status == 204)
      }
      let state = try await request("GET", upload)
      let finished = try #require((state.json["attachment"] as? [String: Any])?["id"] as? String)
      #expect(try await request("GET", "/v1/attachments/\(finished)/original").body == text)
      #expect(try await request("POST", "/v1/attachments", body: UploadServer.text(7_000)).status == 201)
      // Each content once.
      #expect(try await request("GET", "/v1/owner").json["files"] as? Int == 3)
    }
  }
}
