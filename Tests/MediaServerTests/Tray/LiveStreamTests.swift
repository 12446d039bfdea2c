internal import MediaLibrary
internal import RawHTTP
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Event streams over a connection") struct LiveStreamTests {
  private static let request = "GET /v1/tray/events HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test("an event reaches its reader at once, and the stream ends when the server stops") func stops() async throws {
    try await TestServer.start { server in
      let connection = try await server.connect()
      try await connection.send(Self.request)
      let head = try await connection.readHead()
      #expect(head.status == 200)
      #expect(head["Content-Type"] == "text/event-stream")
      #expect(head["Cache-Control"] == "no-store")
      #expect(head["X-Accel-Buffering"] == "no")
      _ = try await connection.read(through: "\n\n")
      server.service.feed.publish(.removed([FileID(rawValue: 7)]), for: "me")
      #expect(String(decoding: try await connection.read(through: "]}"), as: UTF8.self).contains("\"7\""))
      await server.stop()
      // The last chunk: the stream ended, and was not cut.
      _ = try await connection.read(through: "\r\n0\r\n\r\n")
      connection.close()
    }
  }

  @Test("a message that arrives reaches its reader at once, and the stream ends when the server stops")
  func messages() async throws {
    try await TestServer.start { server in
      let connection = try await server.connect()
      try await connection.send("GET /v1/messages/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = try await connection.readHead()
      #expect(head.status == 200)
      #expect(head["Content-Type"] == "text/event-stream")
      _ = try await connection.read(through: "\n\n")
      _ = try await server.service.receiveMessage(NotificationPDU.octets(), for: Caller(owner: "me"))
      _ = try await connection.read(through: "event: message\ndata: {")
      await server.stop()
      // The last chunk: the stream ended, and was not cut.
      _ = try await connection.read(through: "\r\n0\r\n\r\n")
      connection.close()
    }
  }

  @Test("one stream has the changes of the tray and of messages, after what a tray has shown") func everything()
    async throws
  {
    try await TestServer.start { server in
      let tray = try await server.request("GET", "/v1/tray")
      let last = try #require(tray.json["lastEvent"] as? String)
      server.service.feed.publish(.removed([FileID(rawValue: 7)]), for: "me")
      _ = try await server.service.receiveMessage(NotificationPDU.octets(), for: Caller(owner: "me"))
      let connection = try await server.connect()
      try await connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: \(last)\r\n\r\n")
      let head = try await connection.readHead()
      #expect(head.status == 200)
      #expect(head["Content-Type"] == "text/event-stream")
      let first = String(decoding: try await connection.read(through: "event: message\ndata: {"), as: UTF8.self)
      #expect(first.contains("event: removed\ndata: {\"ids\":[\"7\"]}"))
      connection.close()
    }
  }

  @Test("a stream ends when the token of its reader expires") func expired() async throws {
    let now = 1_700_000_000
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }, serving: { $0.clock = { now } }) { server in
      // Accepted for one more second, by a clock that stands still.
      let token = Tokens.token(["sub": "anna", "aud": "mediatool", "exp": now - 29])
      let connection = try await server.connect()
      try await connection.send(
        "GET /v1/tray/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
      #expect(try await connection.readHead().status == 200)
      // The last chunk: the stream ended, and was not cut.
      _ = try await connection.read(through: "\r\n0\r\n\r\n")
      connection.close()
    }
  }

  @Test("a reader that goes frees its place") func gone() async throws {
    try await TestServer.start { server in
      for _ in 0..<20 {
        let connection = try await server.connect()
        try await connection.send(Self.request)
        #expect(try await connection.readHead().status == 200)
        connection.reset()
        while server.service.feed.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
  }

  @Test("one owner has eight streams at most") func limit() async throws {
    try await TestServer.start { server in
      var connections: [RawConnection] = []
      for _ in 0..<8 {
        let connection = try await server.connect()
        try await connection.send(Self.request)
        #expect(try await connection.readHead().status == 200)
        connections.append(connection)
      }
      let refused = try await server.request("GET", "/v1/tray/events")
      #expect(refused.status == 429)
      #expect(refused["Retry-After"] == "30")
      #expect(refused.text.contains("\"limit\":8"))
      for connection in connections { connection.close() }
    }
  }
}
