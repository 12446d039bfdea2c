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
      ($0.requests.messages, $0.requests.messagesPerOwner) = (2, 1)
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
      $0.requests.messages = 1
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
    (.get, "/v1/messages/7/parts/1", false), (.post, "/v1/messages/7/outcome", false),
  ])
  func `Requests with messages in their bodies or answers count as messages`(
    method: HTTPRequest.Method, path: String, isOfMessages: Bool
  ) {
    let request = Request(
      head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path),
      body: RequestBody(buffer: ByteBuffer()))
    #expect((AdmissionMiddleware<MediaServer.Context>.kind(of: request) == .message) == isOfMessages)
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
