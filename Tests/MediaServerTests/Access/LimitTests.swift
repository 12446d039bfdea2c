internal import HTTPTypes
internal import Hummingbird
internal import MediaEngine
internal import MediaService
internal import NIOCore
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

@Suite struct LimitTests {
  @Test func `An owner has its burst, then its rate`() {
    let limiter = RateLimiter(rate: 2, burst: 3)
    let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    for _ in 0..<3 { #expect(limiter.take("anna", at: start) == nil) }
    #expect(limiter.take("anna", at: start) == 1)
    // Another owner has its own.
    #expect(limiter.take("bob", at: start) == nil)
    #expect(limiter.take("anna", at: start + .milliseconds(400)) == 1)
    #expect(limiter.take("anna", at: start + .milliseconds(500)) == nil)
    // A long rest gives no more than the burst.
    for _ in 0..<3 { #expect(limiter.take("anna", at: start + .hours(1)) == nil) }
    #expect(limiter.take("anna", at: start + .hours(1)) == 1)
  }

  @Test func `Too many requests of one owner are answered with 429 and the time to wait`() async throws {
    try await TestServer.start(configure: {
      $0.keys = try? Tokens.keys()
      // On a slow machine a minute may pass between two requests: no token comes back before the third.
      ($0.requests.rate, $0.requests.burst) = (0.001, 2)
    }) { server in
      for _ in 0..<2 { #expect(try await server.request("GET", "/v1/nothing", Tokens.field("anna")).status == 404) }
      let answer = try await server.request("GET", "/v1/nothing", Tokens.field("anna"))
      #expect(answer.status == 429)
      let seconds = try #require(answer["Retry-After"].flatMap { Int($0) })
      #expect((1...1_000).contains(seconds))
      #expect(try await server.request("GET", "/v1/nothing", Tokens.field("bob")).status == 404)
      #expect(try await server.request("GET", "/healthz").status == 200)
    }
  }

  @Test func `A rate is of real time: it neither ends nor starts again when the clock is set`() async throws {
    let time = Locked(1_700_000_000)
    try await TestServer.start(
      configure: { ($0.requests.rate, $0.requests.burst) = (0.001, 2) },
      serving: { $0.clock = { time.withLock { $0 } } }
    ) { server in
      for _ in 0..<2 { #expect(try await server.request("GET", "/v1/nothing").status == 404) }
      for seconds in [31_536_000, -63_072_000] {
        time.withLock { $0 += seconds }
        let answer = try await server.request("GET", "/v1/nothing")
        #expect(answer.status == 429)
        let wait = try #require(answer["Retry-After"].flatMap { Int($0) })
        #expect((1...1_000).contains(wait))
      }
    }
  }

  @Test func `A request beyond the limit of its class is answered with 503 at once, and other classes go on`()
    async throws
  {
    let gate = Gate()
    try await TestServer.start(configure: {
      $0.requests.others = 1
      $0.addRoutes = { router in
        router.get("/v1/slow") { _, _ in
          gate.enter()
          await gate.opened()
          return "done"
        }
      }
    }) { server in
      let slow = try await server.connect()
      try await slow.send("GET /v1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await gate.entered()
      let answer = try await server.request("GET", "/v1/slow")
      #expect(answer.status == 503)
      #expect(answer["Retry-After"] == "1")
      #expect(try await server.request("GET", "/healthz").status == 200)
      gate.open()
      #expect(try await slow.readResponse().text == "done")
      #expect(try await server.request("GET", "/v1/slow").text == "done")
    }
  }

  @Test func `Work for decoders has places of its own, and one owner gets only a share of them`() async throws {
    let gate = Gate()
    try await TestServer.start(configure: {
      $0.keys = try? Tokens.keys()
      ($0.requests.work, $0.requests.workPerOwner) = (2, 1)
      $0.addRoutes = { router in
        router.post("/v1/compose/slow") { _, _ in
          gate.enter()
          await gate.opened()
          return "done"
        }
        router.post("/v1/compose/quick") { _, _ in "done" }
      }
    }) { server in
      let slow = try await server.connect()
      let fields = Tokens.field("anna").map { "\($0): \($1)\r\n" }.joined()
      try await slow.send("POST /v1/compose/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\(fields)\r\n")
      await gate.entered()
      let refused = try await server.request("POST", "/v1/compose/quick", Tokens.field("anna"), body: [])
      #expect(refused.status == 429)
      #expect(refused["Retry-After"] == "1")
      let other = try await server.request("POST", "/v1/compose/quick", Tokens.field("bob"), body: [])
      #expect(other.text == "done")
      #expect(other["Connection"] == "close")
      #expect(try await server.request("GET", "/v1/owner", Tokens.field("anna")).status == 200)
      gate.open()
      #expect(try await slow.readResponse().text == "done")
      // The place is free as soon as the server has sent the answer, which the client may have read before.
      var status = 429
      while [429, 503].contains(status) {
        status = try await server.request("POST", "/v1/compose/quick", Tokens.field("anna"), body: []).status
      }
      #expect(status == 200)
    }
  }

  @Test(arguments: [("POST", "/v1/compose/slow"), ("GET", "/v1/messages/1/slow/modules")])
  func `Work for decoders ends when its client has gone`(method: String, path: String) async throws {
    let gate = Gate()
    let ended = Gate()
    try await TestServer.start(configure: {
      $0.addRoutes = { router in
        for method in [HTTPRequest.Method.post, .get] {
          router.on(RouterPath(path), method: method) { _, _ in
            gate.enter()
            defer { ended.open() }
            try await Task.sleep(for: .seconds(86_400))
            return "done"
          }
        }
      }
    }) { server in
      let client = try await server.connect()
      try await client.send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
      await gate.entered()
      client.close()
      await ended.opened()
    }
  }

  @Test(arguments: [
    (HTTPRequest.Method.put, "/v1/avatar", true), (.get, "/v1/avatar", false), (.get, "/v1/messages/7/modules", true),
    (.post, "/v1/compose", true), (.post, "/v1/check", false), (.get, "/v1/tray", false),
  ])
  func `Composing, modules and images of profiles are work for decoders`(
    method: HTTPRequest.Method, path: String, isWork: Bool
  ) {
    let request = Request(
      head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path),
      body: RequestBody(buffer: ByteBuffer()))
    #expect((AdmissionMiddleware<MediaServer.Context>.kind(of: request) == .work) == isWork)
  }

  @Test func `A stream holds its place until it ends`() async throws {
    try await TestServer.start(configure: {
      $0.requests.streams = 1
      ($0.requests.rate, $0.requests.burst) = (1_000_000, 1_000_000)
      $0.shutdownSeconds = 0
    }) { server in
      let first = try await server.connect()
      try await first.send("GET /v1/tray/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try await first.readHead().status == 200)
      #expect(try await server.request("GET", "/v1/tray/events").status == 503)
      first.close()
      // The place is free as soon as the server has seen the end.
      var status = 503
      while status == 503 {
        let next = try await server.connect()
        try await next.send("GET /v1/tray/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        status = try await next.readHead().status
        next.close()
      }
      #expect(status == 200)
    }
  }
}

@Suite struct OriginTests {
  @Test func `A preflight of a configured origin needs no token, and names what tus clients send`() async throws {
    try await TestServer.start(configure: {
      $0.keys = try? Tokens.keys()
      $0.origins = ["https://chat.example"]
    }) { server in
      let answer = try await server.request(
        "OPTIONS", "/v1/uploads",
        [
          "Origin": "https://chat.example", "Access-Control-Request-Method": "PATCH",
          "Access-Control-Request-Headers": "upload-offset",
        ])
      #expect(answer.status == 204)
      #expect(answer["Access-Control-Allow-Origin"] == "https://chat.example")
      #expect(answer["Access-Control-Allow-Methods"]?.contains("PATCH") == true)
      #expect(answer["Access-Control-Allow-Headers"]?.contains("Upload-Offset") == true)
      #expect(answer["Access-Control-Max-Age"] == "86400")
      #expect(answer["Access-Control-Allow-Credentials"] == nil)
    }
  }

  @Test func `Scripts of a configured origin may read problems and the fields of uploads`() async throws {
    try await TestServer.start(configure: { $0.origins = ["https://chat.example"] }) { server in
      let answer = try await server.request("GET", "/v1/nothing", ["Origin": "https://chat.example"])
      #expect(answer.status == 404)
      #expect(answer["Access-Control-Allow-Origin"] == "https://chat.example")
      #expect(answer["Access-Control-Expose-Headers"]?.contains("Upload-Offset") == true)
      #expect(answer.values("Vary").contains("Origin"))
    }
  }

  @Test(arguments: [
    "https://evil.example", "null", "https://chat.example.evil.example", "http://chat.example", "https://CHAT.example",
  ])
  func `Another origin gets no CORS header`(origin: String) async throws {
    try await TestServer.start(configure: { $0.origins = ["https://chat.example"] }) { server in
      let answer = try await server.request("GET", "/healthz", ["Origin": origin])
      #expect(answer["Access-Control-Allow-Origin"] == nil)
      #expect(answer.values("Vary").contains("Origin"))
      let preflight = try await server.request(
        "OPTIONS", "/v1/uploads", ["Origin": origin, "Access-Control-Request-Method": "PATCH"])
      #expect(preflight["Access-Control-Allow-Origin"] == nil)
    }
  }

  @Test func `Without configured origins there are no such fields`() async throws {
    try await TestServer.start { server in
      let answer = try await server.request("GET", "/healthz", ["Origin": "https://chat.example"])
      #expect(answer["Access-Control-Allow-Origin"] == nil)
      #expect(answer["Vary"] == nil)
    }
  }
}
