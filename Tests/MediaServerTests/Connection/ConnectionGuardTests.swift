internal import HTTPTypes
internal import Hummingbird
internal import Metrics
internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTPTypes
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

/// Connections that send nothing, read nothing, or are too many.
@Suite struct ConnectionGuardTests {
  @Test func `A head that comes byte by byte ends the connection at its deadline`() async throws {
    try await TestServer.start(configure: { $0.connections.headSeconds = 0.3 }) { server in
      let connection = try await server.connect()
      let head = Array("GET /healthz HTTP/1.1\r\nX-Long: \(String(repeating: "a", count: 10_000))\r\n\r\n".utf8)
      async let dripped = connection.drip(head, pause: .milliseconds(10))
      _ = try await connection.waitForEnd()
      #expect(try await dripped < head.count)
    }
  }

  @Test func `A connection that sends nothing ends at the deadline of a head`() async throws {
    try await TestServer.start(configure: { $0.connections.headSeconds = 0.1 }) { server in
      let connection = try await server.connect()
      #expect(try await connection.waitForEnd() == .closed)
    }
  }

  @Test func `A connection that is idle after an answer ends`() async throws {
    try await TestServer.start(configure: { $0.connections.idleSeconds = 0.1 }) { server in
      let connection = try await server.connect()
      #expect(try await connection.request("GET", "/healthz").status == 200)
      #expect(try await connection.waitForEnd() == .closed)
    }
  }

  @Test func `The idle time of a connection counts from its last answer`() throws {
    var limits = MediaServer.ConnectionLimits()
    (limits.headSeconds, limits.idleSeconds) = (10, 60)
    let report = ServerReport(NOOPMetricsHandler.instance)
    let channel = EmbeddedChannel(handler: RequestGuard(limits: limits, isStream: false, report: report))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    for _ in 0..<3 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(9))
      try channel.writeInbound(
        HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")))
      try channel.writeInbound(HTTPRequestPart.end(nil))
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test func `An answer that nobody reads ends the connection before it is written`() async throws {
    let written = Counted()
    try await TestServer.start(configure: {
      ($0.connections.writeWindowSeconds, $0.connections.writeRate) = (0.2, 1_000)
      $0.addRoutes = { router in
        router.get("/v1/large") { _, _ in
          Response(
            status: .ok,
            body: ResponseBody { writer in
              let piece = ByteBuffer(repeating: 7, count: 131_072)
              for _ in 0..<8_192 {
                try await writer.write(piece)
                written.add(131_072)
              }
              try await writer.finish(nil)
            })
        }
      }
    }) { server in
      let connection = try await server.connect(receiveBuffer: 4_096)
      try await connection.send("GET /v1/large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      // Not read: the end shows in sending.
      var sent = 0
      while sent < 6_000 {
        do { try await connection.send("\r\n") } catch is RawConnection.Failure { break }
        try await Task.sleep(for: .milliseconds(10))
        sent += 1
      }
      #expect(sent < 6_000)
      #expect(written.sum < 8_192 * 131_072)
    }
  }

  @Test func `An answer that is read slowly, but at the rate, is sent whole`() {
    var rate = AnswerRate()
    var left = 8_000
    rate.wrote(left)
    // In the first window nothing was waiting at its beginning.
    let first = rate.isTooSlow(buffered: left, required: 100)
    #expect(!first)
    while left > 0 {
      left -= min(left, 100)
      let isTooSlow = rate.isTooSlow(buffered: left, required: 100)
      #expect(!isTooSlow)
    }
    // The next piece waits, and less than the rate of it leaves.
    rate.wrote(1_000)
    let beginning = rate.isTooSlow(buffered: 1_000, required: 100)
    #expect(!beginning)
    let later = rate.isTooSlow(buffered: 901, required: 100)
    #expect(later)
  }

  @Test func `The last bytes of an answer may be fewer than the rate, but must be taken`() {
    var rate = AnswerRate()
    rate.wrote(10)
    let beginning = rate.isTooSlow(buffered: 10, required: 100)
    #expect(!beginning)
    var taken = rate
    let afterTaking = taken.isTooSlow(buffered: 0, required: 100)
    #expect(!afterTaking)
    let afterWaiting = rate.isTooSlow(buffered: 10, required: 100)
    #expect(afterWaiting)
  }

  @Test func `A connection beyond the limit is answered with 503, and others go on`() async throws {
    try await TestServer.start(configure: { $0.connections.count = 2 }) { server in
      let first = try await server.connect()
      let second = try await server.connect()
      #expect(try await first.request("GET", "/healthz").status == 200)
      #expect(try await second.request("GET", "/healthz").status == 200)
      let third = try await server.connect()
      let refused = try await third.readResponse()
      #expect(refused.status == 503)
      #expect(refused["Retry-After"] == "5")
      #expect(try await first.request("GET", "/healthz").status == 200)
      first.close()
      // Its place is free as soon as the server has seen the end.
      var status = 503
      while status == 503 {
        let next = try await server.connect()
        do { status = try await next.request("GET", "/healthz").status } catch is RawConnection.Failure {}
      }
      #expect(status == 200)
    }
  }

  @Test func `A head that is too long or has too many fields is refused, and the server goes on`() async throws {
    try await TestServer.start { server in
      let long = try await server.connect()
      // The server may end the connection while the head is being sent.
      try? await long.send(
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 2_000_000))\r\n\r\n")
      let answer = try? await long.readResponse()
      #expect([nil, 400, 431].contains(answer?.status))
      let many = try await server.connect()
      let fields = (0..<100_000).map { "X-\($0): 1\r\n" }.joined()
      try? await many.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
      let second = try? await many.readResponse()
      #expect([nil, 400, 431].contains(second?.status))
      #expect(try await server.request("GET", "/healthz").status == 200)
    }
  }
}

/// Requests that two readers take for different ones (request smuggling): the second must never run.
@Suite struct SmugglingTests {
  @Test(arguments: [
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
    "Content-Length: 5, 6\r\n\r\nabcde", "Content-Length: +5\r\n\r\nabcde", "Content-Length: -1\r\n\r\n",
    "Content-Length: 0x5\r\n\r\nabcde", "Content-Length: 5 5\r\n\r\nabcde", "Content-Length: \r\n\r\n",
    "Content-Length: 99999999999999999999\r\n\r\n", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n5;\r\nabcde\r\n-1\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n+5\r\nabcde\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabcde",
    "X: a\r\n folded\r\nContent-Length: 0\r\n\r\n", "X\0: a\r\n\r\n", "X: a\0b\r\n\r\n",
    "X: a\nContent-Length: 0\r\n\r\n",
    " X: a\r\n\r\n",
  ])
  func `A request of two readings is refused, and what follows it is not run`(rest: String) async throws {
    let second = Counted()
    try await TestServer.start(configure: {
      $0.addRoutes = { router in
        router.post("/v1/first") { request, _ in
          for try await _ in request.body {}
          return "first"
        }
        router.get("/v1/second") { _, _ in
          second.add(1)
          return "second"
        }
      }
    }) { server in
      let connection = try await server.connect()
      try await connection.send("POST /v1/first HTTP/1.1\r\nHost: localhost\r\n\(rest)")
      try? await connection.send("GET /v1/second HTTP/1.1\r\nHost: localhost\r\n\r\n")
      connection.halfClose()
      let answer = try? await connection.readToEnd()
      let text = String(decoding: answer ?? [], as: UTF8.self)
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 400"), "\(text.prefix(40))")
      #expect(second.sum == 0)
    }
  }
}
