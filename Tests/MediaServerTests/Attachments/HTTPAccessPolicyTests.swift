internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import NIOCore
internal import Synchronization
internal import Testing
internal import Tracing

@testable internal import MediaServer
@testable internal import MediaService

@Suite struct HTTPAccessPolicyTests {
  private static let question = MediaService.AccessQuestion(
    subject: "a+b&right=original ü", attachment: FileID(rawValue: 12), owner: "alice", right: .view)

  @Test(
    "2xx allows, 401, 403 and 404 deny, and anything else is no answer",
    arguments: [
      (200, true), (204, true), (299, true), (401, false), (403, false), (404, false), (301, nil), (302, nil),
      (400, nil), (429, nil), (500, nil), (503, nil),
    ] as [(Int, Bool?)])
  func statuses(status: Int, expected: Bool?) async throws {
    let asked = Mutex(0)
    let answer = try await Self.withApplication { request in
      asked.withLock { $0 += 1 }
      // A redirect is not followed, wherever it leads.
      return Response(status: .init(code: status), headers: [.location: "/ask"])
    } _: { policy in
      try? await policy.allows(Self.question)
    }
    #expect(answer == expected)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("The question arrives as it was asked, with the token")
  func question() async throws {
    let seen = Mutex<[String: String]>([:])
    _ = try await Self.withApplication { request in
      var values = ["token": request.headers[.authorization] ?? ""]
      for (name, value) in request.uri.queryParameters { values[String(name)] = String(value) }
      seen.withLock { [values] in $0 = values }
      return Response(status: .noContent)
    } _: { policy in
      try await policy.allows(Self.question)
    }
    #expect(
      seen.withLock { $0 } == [
        "subject": "a+b&right=original ü", "attachment": "12", "owner": "alice", "right": "view",
        "token": "Bearer t0ken",
      ])
  }

  @Test("An application that is not there is no answer")
  func nobody() async throws {
    // Port 1 is reserved, and nobody listens there.
    let policy = try #require(HTTPAccessPolicy(url: "http://127.0.0.1:1/ask"))
    await #expect(throws: (any Error).self) { _ = try await policy.allows(Self.question) }
    try await policy.shutdown()
  }

  @Test("Only an HTTP URL without a query can be asked")
  func urls() {
    for url in ["", "ask", "ftp://h/", "file:///etc/passwd", "http://", "http://h/?a=b", "http://h/#a", "unix:///s"] {
      #expect(HTTPAccessPolicy(url: url) == nil, "\(url)")
    }
  }

  /// Runs an application that answers at `/ask`, and a policy that asks it.
  static func withApplication<Value: Sendable>(
    tracer: (any Tracer)? = nil, _ respond: @escaping @Sendable (Request) -> Response,
    _ body: (HTTPAccessPolicy) async throws -> Value
  ) async throws -> Value {
    // However busy this machine is.
    try await CallbackApplication.run(
      { url in try #require(HTTPAccessPolicy(url: url, token: "t0ken", tracer: tracer, patience: .minutes(10))) },
      respond, body)
  }
}
