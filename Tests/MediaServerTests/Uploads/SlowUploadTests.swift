internal import MediaService
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

/// Clients that send hardly anything (attack 7 of the service's threat model).
@Suite struct SlowUploadTests {
  private static let piece = ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"]

  private static func create(_ server: TestServer, _ length: Int) async throws -> String {
    let created = try await server.request(
      "POST", "/v1/uploads", ["Tus-Resumable": "1.0.0", "Upload-Length": "\(length)"], body: [])
    return try #require(created["Location"], "\(created.status) \(created.text)")
  }

  @Test func `An upload whose body comes too slowly is cut, and continues after the bytes that arrived`() async throws {
    try await TestServer.start(configure: {
      ($0.connections.bodyWindowSeconds, $0.connections.bodyRate) = (0.2, 1_000)
    }) { server in
      let text = UploadServer.text(100)
      let address = try await Self.create(server, text.count)
      let connection = try await server.connect()
      var head = "PATCH \(address) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(text.count)\r\nUpload-Offset: 0\r\n"
      for (name, value) in Self.piece { head += "\(name): \(value)\r\n" }
      try await connection.send(Array("\(head)\r\n".utf8) + text.prefix(60))
      _ = try await connection.waitForEnd()
      let state = try await server.request("HEAD", address, ["Tus-Resumable": "1.0.0"])
      #expect(state["Upload-Offset"] == "60")
      let rest = Self.piece.merging(["Upload-Offset": "60"]) { $1 }
      let end = try await server.request("PATCH", address, rest, body: Array(text.dropFirst(60)))
      #expect(end.status == 204)
      #expect(end["Content-Location"] != nil)
    }
  }

  @Test func `Pieces of one byte without end are refused at the rate of requests, and the offset stays`() async throws {
    try await TestServer.start(configure: { ($0.requests.rate, $0.requests.burst) = (1e-6, 11) }) { server in
      let address = try await Self.create(server, 1_000)
      var statuses: [Int] = []
      for offset in 0..<20 {
        let fields = Self.piece.merging(["Upload-Offset": "\(offset)"]) { $1 }
        let answer = try await server.request("PATCH", address, fields, body: [97])
        statuses.append(answer.status)
        if answer.status == 429 { #expect(answer["Retry-After"] != nil) }
      }
      #expect(statuses == [Int](repeating: 204, count: 10) + [Int](repeating: 429, count: 10))
      let id = try #require(Upload.ID(rawValue: address.replacing("/v1/uploads/", with: "")))
      #expect(try await server.service.upload(id, for: Caller(owner: "me")).offset == 10)
    }
  }
}
