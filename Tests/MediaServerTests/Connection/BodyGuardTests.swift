internal import HTTPTypes
internal import Hummingbird
internal import Metrics
internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTPTypes
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

/// Bodies that are announced and do not come, come slowly, or come after the answer.
@Suite struct BodyGuardTests {
  /// `/v1/read` counts the bytes of a body, `/v1/refuse` answers before it.
  private static let routes: @Sendable (Router<MediaServer.Context>) -> Void = { router in
    router.post("/v1/read") { request, _ in
      var count = 0
      for try await buffer in request.body { count += buffer.readableBytes }
      return "\(count)"
    }
    router.post("/v1/refuse") { _, _ -> String in throw HTTPError(.contentTooLarge) }
  }

  private static func head(_ target: String, length: Int, _ more: String = "") -> String {
    "POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\(more)\r\n"
  }

  @Test func `A body that comes too slowly ends the connection`() async throws {
    try await TestServer.start(configure: {
      $0.addRoutes = Self.routes
      ($0.connections.bodyWindowSeconds, $0.connections.bodyRate) = (0.2, 1_000)
    }) { server in
      let connection = try await server.connect()
      try await connection.send(Self.head("/v1/read", length: 1_000_000))
      async let dripped = connection.drip(Array(repeating: 7, count: 100_000), pause: .milliseconds(20))
      _ = try await connection.waitForEnd()
      #expect(try await dripped < 100_000)
    }
  }

  @Test func `A body that comes at the rate is read, however long it takes`() throws {
    var limits = MediaServer.ConnectionLimits()
    (limits.bodyWindowSeconds, limits.bodyRate) = (10, 100)
    let report = ServerReport(NOOPMetricsHandler.instance)
    let channel = EmbeddedChannel(handler: RequestGuard(limits: limits, isStream: false, report: report))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let fields: HTTPFields = [.contentLength: "1000000"]
    try channel.writeInbound(
      HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: fields)))
    func receive(_ bytes: Int, after seconds: Int64) throws {
      channel.read()
      channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
      try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 7, count: bytes)))
    }
    for _ in 0..<1_000 { try receive(500, after: 4) }
    #expect(channel.isActive)
    // Below the rate it ends with the window, which the handler sees as an error.
    #expect(throws: ChannelError.eof) {
      for _ in 0..<6 { try receive(300, after: 4) }
    }
    #expect(!channel.isActive)
  }

  @Test func `A server that is slow itself does not cut a body`() {
    var rate = BodyRate()
    let window = TimeAmount.seconds(10)
    // Bytes came once, and nobody asked for more.
    rate.awaited(at: .uptimeNanoseconds(0))
    rate.received(10, at: .uptimeNanoseconds(1))
    let end = NIODeadline.uptimeNanoseconds(10_000_000_000)
    let afterPause = rate.isTooSlow(at: end, window: window, bytesPerSecond: 1_000)
    #expect(!afterPause)
    // Then they were asked for, and did not come.
    rate.awaited(at: end)
    let afterWaiting = rate.isTooSlow(at: end + window, window: window, bytesPerSecond: 1_000)
    #expect(afterWaiting)
  }

  @Test func `A refusal reaches a client that goes on sending, and the connection ends`() async throws {
    try await TestServer.start(configure: {
      $0.addRoutes = Self.routes
      $0.connections.lingerBytes = 4_194_304
    }) { server in
      let connection = try await server.connect()
      try await connection.send(Self.head("/v1/refuse", length: 1_000_000_000))
      // More than the buffers of both sides hold, so a server that reads nothing more would block it.
      try await connection.send([UInt8](repeating: 7, count: 3_000_000))
      let answer = try await connection.readResponse()
      #expect(answer.status == 413)
      #expect(answer["Connection"] == "close")
      #expect(try await connection.readToEnd().isEmpty)
    }
  }

  @Test func `After a refusal no more bytes are read than the bound`() async throws {
    try await TestServer.start(configure: {
      $0.addRoutes = Self.routes
      ($0.connections.lingerBytes, $0.connections.lingerSeconds) = (100_000, 3_600)
    }) { server in
      let connection = try await server.connect()
      try await connection.send("POST /v1/refuse HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 7, count: 65_536) + Array("\r\n".utf8)
      var sent = 0
      // The bound and what the buffers of both sides hold, far below this.
      while sent < 1_000 {
        do { try await connection.send(chunk) } catch is RawConnection.Failure { break }
        sent += 1
      }
      #expect(sent < 1_000)
    }
  }

  @Test func `After a refusal the connection ends in time, also when nothing more comes`() async throws {
    try await TestServer.start(configure: {
      $0.addRoutes = Self.routes
      $0.connections.lingerSeconds = 0.1
    }) { server in
      let connection = try await server.connect()
      try await connection.send(Self.head("/v1/refuse", length: 1_000_000_000))
      #expect(try await connection.readResponse().status == 413)
      _ = try await connection.waitForEnd()
      // The sending direction was ended first; only the end of the whole connection makes sending fail.
      var sent = 0
      while sent < 10_000 {
        do { try await connection.send([UInt8](repeating: 7, count: 65_536)) } catch is RawConnection.Failure { break }
        sent += 1
      }
      #expect(sent < 10_000)
    }
  }

  @Test func `A short rest of a body is read, and the connection goes on`() async throws {
    try await TestServer.start(configure: { $0.addRoutes = Self.routes }) { server in
      let connection = try await server.connect()
      let answer = try await connection.request("POST", "/v1/refuse", body: [UInt8](repeating: 7, count: 1_000))
      #expect(answer.status == 413)
      #expect(answer["Connection"] == nil)
      #expect(try await connection.request("GET", "/healthz").status == 200)
    }
  }

  @Test func `A body that waits for 100 Continue is asked for when it is read`() async throws {
    try await TestServer.start(configure: { $0.addRoutes = Self.routes }) { server in
      let connection = try await server.connect()
      try await connection.send(Self.head("/v1/read", length: 3, "Expect: 100-continue\r\n"))
      #expect(try await connection.readHead().status == 100)
      try await connection.send("abc")
      #expect(try await connection.readResponse().text == "3")
      #expect(try await connection.request("GET", "/healthz").status == 200)
    }
  }

  @Test func `A body that waits for 100 Continue is not asked for when it is refused`() async throws {
    try await TestServer.start(configure: { $0.addRoutes = Self.routes }) { server in
      let connection = try await server.connect()
      try await connection.send(Self.head("/v1/refuse", length: 3, "Expect: 100-continue\r\n"))
      let head = try await connection.readHead()
      #expect(head.status == 413)
      #expect(head["Connection"] == "close")
    }
  }

  @Test func `Another expectation is refused`() async throws {
    try await TestServer.start(configure: { $0.addRoutes = Self.routes }) { server in
      let answer = try await server.request("POST", "/v1/read", ["Expect": "200-maybe"], body: [])
      #expect(answer.status == 417)
    }
  }
}
