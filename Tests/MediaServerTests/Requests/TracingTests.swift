internal import Hummingbird
internal import InMemoryTracing
internal import Instrumentation
internal import MediaService
internal import RawHTTP
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import MediaServer

@Suite("Spans of requests") struct TracingTests {
  private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test("a request is a span of its route; what it waits for is in spans below, and no address has its query")
  func spans() async throws {
    let tracer = InMemoryTracer()
    try await TestServer.start(serving: { $0.tracer = tracer }) { server in
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let made = try await server.request("POST", "/v1/attachments", ["Content-Type": "image/jpeg"], body: photo)
      let id = try #require(made.json["id"] as? String)
      #expect(try await server.request("GET", "/v1/attachments/\(id)/renditions/64.png").status == 200)
      #expect(try await server.request("DELETE", "/v1/attachments/\(id)").status == 200)
      #expect(try await server.request("GET", "/v1/attachments?ids=5,secret").status == 200)
      #expect(try await server.request("GET", "/v1/nothing").status == 404)
    }
    let spans = tracer.finishedSpans
    func span(_ name: String) throws -> FinishedInMemorySpan {
      try #require(spans.first { $0.operationName == name }, "\(spans.map(\.operationName))")
    }
    let upload = try span("POST /v1/attachments")
    #expect(upload.kind == .server)
    #expect(upload.parentSpanID == nil)
    #expect(text(upload, "http.request.method") == "POST")
    #expect(text(upload, "http.route") == "/v1/attachments")
    #expect(text(upload, "url.path") == "/v1/attachments")
    #expect(text(upload, "http.response.status_code") == "201")
    let ingest = try span("ingest")
    #expect(ingest.kind == .internal)
    #expect(ingest.parentSpanID == upload.spanID)
    #expect(ingest.traceID == upload.traceID)
    let rendition = try span("rendition")
    #expect(text(rendition, "mediatool.rendition") == "64.png")
    #expect(rendition.parentSpanID == (try span("GET /v1/attachments/{id}/renditions/{name}").spanID))
    #expect(try span("erasure").parentSpanID == (try span("DELETE /v1/attachments/{id}").spanID))
    #expect(text(try span("GET"), "http.response.status_code") == "404")
    for span in spans { #expect(!String(describing: span).contains("secret")) }
  }

  @Test("the tracer reads the trace of a request from its fields, and writes it into the question of the callback")
  func callback() async throws {
    let tracer = InMemoryTracer()
    let seen = Mutex<[String: String]>([:])
    try await HTTPAccessPolicyTests.withApplication(tracer: tracer) { request in
      let fields = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first }
      seen.withLock { $0 = fields }
      return Response(status: .noContent)
    } _: { policy in
      try await Self.ask(
        policy, tracer,
        [
          "traceparent": Self.parent, "tracestate": "a=b", InMemoryTracer.traceIDKey: "t1",
          InMemoryTracer.spanIDKey: "s1",
        ])
    }
    let fields = seen.withLock { $0 }
    #expect(fields["traceparent"] == Self.parent)
    #expect(fields["tracestate"] == "a=b")
    let client = try #require(tracer.finishedSpans.first { $0.kind == .client })
    #expect(client.traceID == "t1")
    #expect(fields[InMemoryTracer.spanIDKey] == client.spanID)
    #expect(text(client, "http.response.status_code") == "204")
  }

  @Test("a malformed trace is not passed on") func malformed() async throws {
    let seen = Mutex<[String: String]>([:])
    let tracer = InMemoryTracer()
    try await HTTPAccessPolicyTests.withApplication(tracer: tracer) { request in
      let fields = Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first }
      seen.withLock { $0 = fields }
      return Response(status: .noContent)
    } _: { policy in
      try await Self.ask(policy, tracer, ["traceparent": "00-0-0-01"])
    }
    #expect(seen.withLock { !$0.isEmpty && $0["traceparent"] == nil })
  }

  /// One request about another owner's attachment, about which the application is asked.
  private static func ask(
    _ policy: HTTPAccessPolicy, _ tracer: InMemoryTracer, _ fields: [String: String]
  ) async throws {
    try await TestServer.start(
      configure: { $0.keys = try? Tokens.keys() },
      serving: {
        ($0.tracer, $0.accessPolicy) = (tracer, policy)
        // As long as a busy machine may need.
        $0.limits.accessSeconds = 3_600
      }
    ) { server in
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let made = try await server.request(
        "POST", "/v1/attachments", Tokens.field("anna").merging(["Content-Type": "image/jpeg"]) { $1 }, body: photo)
      let id = try #require(made.json["id"] as? String)
      let answer = try await server.request(
        "GET", "/v1/attachments/\(id)", Tokens.field("bob").merging(fields) { $1 })
      #expect(answer.status == 200)
    }
  }

  private func text(_ span: FinishedInMemorySpan, _ name: String) -> String? {
    switch span.attributes[name]?.toSpanAttribute() {
    case .string(let text): text
    case .int32(let number): "\(number)"
    case .int64(let number): "\(number)"
    default: nil
    }
  }
}
