internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

/// Requests whose bodies or answers are multimedia messages, which are in memory as a whole.
@Suite struct MessageLimitTests {
  @Test func `Messages have places of their own, and one owner gets only a share of them`() async throws {
    let gates = ["anna": Gate(), "bob": Gate()]
    try await TestServer.start(configure: {
      $0.keys = try? Tokens.keys()
      ($0.requests.messageBytes, $0.requests.messageBytesPerOwner) = (16 << 20, 8 << 20)
      $0.addRoutes = { router in
        router.get("/v1/messages/slow/{owner}/requests") { _, context in
          let gate = try gates[context.parameters.require("owner")]
          gate?.enter()
          await gate?.opened()
          return "done"
        }
      }
    }) { server in
      let first = try await slow("anna", gates, server)
      let refused = try await server.request("GET", "/v1/messages/answers", Tokens.field("anna"))
      #expect(refused.status == 429)
      #expect(refused["Retry-After"] == "1")
      // Another owner gets the other place, which nobody has had: the server frees a place after the client has the answer.
      let second = try await slow("bob", gates, server)
      let full = try await server.request("POST", "/v1/messages", Tokens.field("carol"), body: [0])
      #expect(full.status == 503)
      #expect(full["Retry-After"] == "1")
      // What has no message in it goes on.
      #expect(try await server.request("GET", "/v1/owner", Tokens.field("anna")).status == 200)
      for (owner, connection) in [("anna", first), ("bob", second)] {
        gates[owner]?.open()
        #expect(try await connection.readResponse().text == "done")
      }
      #expect(try await untilFree(server, "carol").status == 415)
    }
  }

  @Test func `A message holds its place until its answer is sent`() async throws {
    let gate = Gate()
    try await TestServer.start(configure: {
      $0.requests.messageBytes = 8 << 20
      $0.addRoutes = { router in
        router.get("/v1/messages/slow/long/requests") { _, _ in
          Response(
            status: .ok,
            body: ResponseBody { writer in
              try await writer.write(ByteBuffer(string: "begun"))
              await gate.opened()
              try await writer.finish(nil)
            })
        }
      }
    }) { server in
      let connection = try await server.connect()
      try await connection.send("GET /v1/messages/slow/long/requests HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = try await connection.readHead()
      #expect(try await server.request("POST", "/v1/messages", body: [0]).status == 503)
      gate.open()
      #expect(try await connection.readBody(of: head) == Array("begun".utf8))
      #expect(try await untilFree(server).status == 415)
    }
  }

  @Test(arguments: [
    (HTTPRequest.Method.post, "/v1/messages", true), (.get, "/v1/messages", false),
    (.get, "/v1/messages/answers", true), (.delete, "/v1/messages/answers/7", false),
    (.get, "/v1/messages/7/requests", true), (.get, "/v1/messages/7", false), (.get, "/v1/messages/7/modules", false),
    (.get, "/v1/messages/7/parts/1", true), (.get, "/v1/messages/7/parts/1/renditions/message.webp", false),
    (.get, "/v1/attachments/7/parts/1", true), (.get, "/v1/attachments/7/original", false),
    (.post, "/v1/messages/7/outcome", false), (.post, "/v1/messages/7/resend", true),
  ])
  func `Requests with messages in their bodies or answers count as messages`(
    method: HTTPRequest.Method, path: String, isOfMessages: Bool
  ) {
    let request = Request(
      head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path),
      body: RequestBody(buffer: ByteBuffer()))
    #expect((AdmissionMiddleware<MediaServer.Context>.kind(of: request) == .message) == isOfMessages)
  }

  @Test(
    arguments: [
      (method: "GET", path: "/v1/messages/slow/large/requests"), (method: "POST", path: "/v1/compose/large"),
    ], [true, false])
  func `A large answer holds its place until the client has read it or has gone`(
    request: (method: String, path: String), reads: Bool
  ) async throws {
    // More than the socket buffers of both sides take.
    let bytes = 32 << 20
    try await TestServer.start(configure: {
      ($0.requests.messageBytes, $0.requests.work) = (8 << 20, 1)
      ($0.requests.rate, $0.requests.burst) = (1_000_000, 1_000_000)
      $0.addRoutes = { router in
        for method in [HTTPRequest.Method.get, .post] {
          router.on(RouterPath(request.path), method: method) { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 7, count: bytes)))
          }
        }
      }
    }) { server in
      func status() async throws -> Int {
        let path = request.method == "GET" ? "/v1/messages" : "/v1/compose"
        return try await server.request("POST", path, body: [0]).status
      }
      let connection = try await server.connect(receiveBuffer: 262_144)
      try await connection.send(
        "\(request.method) \(request.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
      let head = try await connection.readHead()
      for _ in 0..<50 { #expect(try await status() == 503) }
      if reads {
        #expect(try await connection.readBody(of: head).count == bytes)
      } else {
        // Not `close()`, which leaves the descriptor open: the kernel of a client that has gone resets a connection with unread bytes.
        connection.reset()
      }
      while try await status() == 503 {}
    }
  }

  @Test(
    arguments: [
      (.post, "requests", "5", 262_144), (.post, "requests", "1000000", 1_000_000),
      (.post, "requests", "99999999", 8 << 20), (.post, "requests", nil, 8 << 20), (.get, "requests", nil, 8 << 20),
      (.get, "parts/1", nil, 1 << 20),
    ] as [(HTTPRequest.Method, String, String?, Int)])
  func `A message counts with its length, or with the most that it may have`(
    method: HTTPRequest.Method, path: String, length: String?, bytes: Int
  ) {
    var head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: "/v1/messages/7/\(path)")
    head.headerFields[.contentLength] = length
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    typealias Admission = AdmissionMiddleware<MediaServer.Context>
    #expect(Admission.bytes(of: request, .message) == bytes)
    #expect(Admission.bytes(of: request, .work) == nil)
  }

  @Test func `Small messages leave room for others, and a message larger than the room runs alone`() {
    typealias Admission = AdmissionMiddleware<MediaServer.Context>
    let slots = Admission.Slots([.message: .init(10, perOwner: 6)])
    #expect(slots.weight(99, of: .message) == 6)
    #expect(slots.take(.message, 4, owner: "anna") == .taken)
    #expect(slots.take(.message, 3, owner: "anna") == .ownShareTaken)
    #expect(slots.take(.message, 2, owner: "anna") == .taken)
    #expect(slots.take(.message, 5, owner: "bob") == .full)
    #expect(slots.take(.message, 4, owner: "bob") == .taken)
    let place = Admission.Slot(slots, .message, 4, owner: "bob")
    place.resize(to: 1)
    #expect(slots.take(.message, 4, owner: "carol") == .full)
    #expect(slots.take(.message, 3, owner: "carol") == .taken)
    place.free()
    place.free()
    #expect(slots.take(.message, 2, owner: "bob") == .full)
    #expect(slots.take(.message, 1, owner: "bob") == .taken)
    let larger = Admission.Slot(slots, .message, 1, owner: "bob")
    larger.resize(to: 9)
    place.free()
    #expect(slots.take(.message, 1, owner: "carol") == .full)
    larger.free()
    #expect(slots.take(.message, 2, owner: "bob") == .full)
    #expect(slots.take(.message, 1, owner: "bob") == .taken)
  }

  /// A request of an owner that is being answered.
  private func slow(_ owner: String, _ gates: [String: Gate], _ server: TestServer) async throws -> RawConnection {
    let connection = try await server.connect()
    let fields = Tokens.field(owner).map { "\($0): \($1)\r\n" }.joined()
    try await connection.send("GET /v1/messages/slow/\(owner)/requests HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
    await gates[owner]?.entered()
    return connection
  }

  /// The answer to a message of a wrong type, as soon as there is a place: the server sees the end of an answer after its client does.
  private func untilFree(_ server: TestServer, _ owner: String? = nil) async throws -> RawResponse {
    let fields = owner.map { Tokens.field($0) } ?? [:]
    var answer = try await server.request("POST", "/v1/messages", fields, body: [0])
    while answer.status == 503 { answer = try await server.request("POST", "/v1/messages", fields, body: [0]) }
    return answer
  }
}
