internal import FileSupport
internal import Foundation
internal import HTTPTypes
internal import InMemoryTracing
internal import Logging
internal import MediaLibrary
internal import NIOCore
internal import RawHTTP
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import MediaServer
@testable internal import MediaService

@Suite struct HotAnswerTests {
  /// A server with keys, and the signed URL of a photo's `grid` rendition.
  private func withAddress(
    configure: (inout MediaServer.Configuration) -> Void = { _ in },
    serving: (inout MediaService.Configuration) -> Void = { _ in },
    _ body: (TestServer, PrometheusRegistry, _ id: String, _ address: String) async throws -> Void
  )
    async throws
  {
    let registry = PrometheusRegistry()
    let keys = try Tokens.keys()
    try await TestServer.start {
      $0.keys = keys
      $0.metrics = registry
      configure(&$0)
    } serving: {
      serving(&$0)
      $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(repeating: 7, count: 32))])
    } _: { server in
      var fields = Tokens.field("alice")
      fields["Content-Type"] = "image/jpeg"
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let created = try await server.request("POST", "/v1/attachments", fields, body: photo)
      try #require(created.status == 201)
      let json = try #require(try JSONSerialization.jsonObject(with: Data(created.body)) as? [String: Any])
      let id = try #require(json["id"] as? String)
      let urls = try #require(json["urls"] as? [String: String])
      try await body(server, registry, id, try #require(urls["grid"]))
    }
  }

  /// The fields of an answer but those that differ between any two.
  private func stable(_ response: RawResponse) -> Set<String> {
    let changing: Set<String> = ["date", "cache-control"]
    return Set(
      response.fields.filter { !changing.contains($0.name.lowercased()) }.map { "\($0.name.lowercased()): \($0.value)" }
    )
  }

  private func hotAnswers(_ registry: PrometheusRegistry) -> Int {
    let line = registry.text().split(separator: "\n").first { $0.hasPrefix("mediatool_hot_answers_total ") }
    return line.flatMap { Int(Double($0.split(separator: " ")[1]) ?? -1) } ?? 0
  }

  @Test("A second request for a signed URL gets the same answer from memory, and 304 if it has it")
  func sameAnswer() async throws {
    try await withAddress { server, registry, _, address in
      let connection = try await server.connect()
      defer { connection.close() }
      // So that both answers have the same one.
      let id = ["X-Request-ID": "of-the-client"]
      let first = try await connection.request("GET", address, id)
      #expect(first.status == 200)
      #expect(hotAnswers(registry) == 0)
      let second = try await connection.request("GET", address, id)
      #expect(second.status == 200)
      #expect(hotAnswers(registry) == 1)
      #expect(second.body == first.body)
      #expect(stable(second) == stable(first))
      #expect(second["Cache-Control"]?.hasSuffix("immutable") == true)
      let known = try await connection.request("GET", address, ["If-None-Match": try #require(first["ETag"])])
      #expect(known.status == 304)
      #expect(known.body.isEmpty)
      #expect(hotAnswers(registry) == 2)
      // Everything else is the router's: a part, a HEAD, another signature.
      #expect(try await connection.request("GET", address, ["Range": "bytes=0-9"]).status == 206)
      #expect(try await connection.request("GET", address + "x").status == 403)
      #expect(hotAnswers(registry) == 2)
    }
  }

  @Test("An answer from memory has an id: that of its request, or one of its own")
  func identity() async throws {
    try await withAddress { server, registry, _, address in
      let connection = try await server.connect()
      defer { connection.close() }
      _ = try await connection.request("GET", address)
      #expect(try await connection.request("GET", address, ["X-Request-ID": "r-1"])["X-Request-ID"] == "r-1")
      var ids: Set<String> = []
      for fields: [String: String] in [[:], [:], ["X-Request-ID": "a\"b"]] {
        ids.insert(try #require(try await connection.request("GET", address, fields)["X-Request-ID"]))
      }
      #expect(ids.count == 3)
      #expect(ids.allSatisfy { RequestID.isAcceptable($0) })
      #expect(hotAnswers(registry) == 4)
    }
  }

  @Test("With configured origins, an answer from memory varies by origin, and a page gets one that it may read")
  func origins() async throws {
    let page = ["Origin": "https://chat.example"]
    try await withAddress(configure: { $0.origins = ["https://chat.example"] }) { server, registry, _, address in
      let connection = try await server.connect()
      defer { connection.close() }
      let first = try await connection.request("GET", address, ["X-Request-ID": "of-the-client"])
      let second = try await connection.request("GET", address, ["X-Request-ID": "of-the-client"])
      #expect(hotAnswers(registry) == 1)
      #expect(second.values("Vary") == ["Origin"])
      #expect(stable(second) == stable(first))
      let read = try await connection.request("GET", address, page)
      #expect(read["Access-Control-Allow-Origin"] == "https://chat.example")
      #expect(read.body == first.body)
      // What was made for the page is not kept for others.
      #expect(try await connection.request("GET", address)["Access-Control-Allow-Origin"] == nil)
      #expect(hotAnswers(registry) == 2)
    }
  }

  @Test("The audit log counts answers from memory, by attachment, route, key and status")
  func audited() async throws {
    let log = LogLines()
    var photo = ""
    try await withAddress(configure: { $0.audit = log.logger }) { server, _, id, address in
      photo = id
      let first = try await server.request("GET", address)
      for _ in 0..<3 { #expect(try await server.request("GET", address).status == 200) }
      let tag = ["If-None-Match": try #require(first["ETag"])]
      #expect(try await server.request("GET", address, tag).status == 304)
    }
    let counted = log.lines.filter { $0["count"] != nil }
    #expect(Set(counted.map { "\($0["status"] ?? "") \($0["count"] ?? "")" }) == ["200 3", "304 1"])
    for line in counted {
      #expect(line["id"] == .string(photo))
      #expect(line["route"] == "/v1/attachments/{id}/renditions/{name}")
      #expect(line["key"] == "k1")
      #expect(line["method"] == "GET")
    }
  }

  @Test("An answer from memory is a span like any other, without its query")
  func traced() async throws {
    let tracer = InMemoryTracer()
    try await withAddress(serving: { $0.tracer = tracer }) { server, registry, _, address in
      let first = try await server.request("GET", address)
      let second = try await server.request("GET", address)
      #expect(first.status == 200)
      #expect(second.status == 200)
      #expect(hotAnswers(registry) == 1)
    }
    let spans = tracer.finishedSpans.filter {
      $0.operationName == "GET /v1/attachments/{id}/renditions/{name}"
    }
    #expect(spans.count == 2)
    #expect(spans.allSatisfy { $0.kind == .server })
    for span in spans { #expect(!String(describing: span).contains("k=k1")) }
  }

  @Test("Requests that were sent without waiting are answered in their order, from memory or not")
  func pipelined() async throws {
    try await withAddress { server, registry, id, address in
      let connection = try await server.connect()
      defer { connection.close() }
      _ = try await connection.request("GET", address)
      let hot = "GET \(address) HTTP/1.1\r\nHost: localhost\r\n\r\n"
      let slow = "GET /v1/attachments/\(id) HTTP/1.1\r\nHost: localhost\r\n\r\n"
      try await connection.send(Array((slow + hot + slow + hot).utf8))
      var statuses: [Int] = []
      for _ in 0..<4 { statuses.append(try await connection.readResponse().status) }
      #expect(statuses == [401, 200, 401, 200])
    }
  }

  @Test("An address that was revoked, or whose file was erased, is not answered from memory")
  func cut() async throws {
    for method in ["/v1/grants?ids=", "/v1/attachments/"] {
      try await withAddress { server, registry, id, address in
        #expect(try await server.request("GET", address).status == 200)
        #expect(try await server.request("GET", address).status == 200)
        #expect(hotAnswers(registry) == 1)
        let cut = try await server.request("DELETE", method + id, Tokens.field("alice"))
        #expect((200..<300).contains(cut.status))
        #expect(try await server.request("GET", address).status == 404)
        #expect(hotAnswers(registry) == 1)
      }
    }
  }

  private func answer(_ file: Int64, bytes: Int) -> HotRenditions.Answer {
    HotRenditions.Answer(
      file: FileID(rawValue: file), fields: [:], entityTag: "\"a\"", body: ByteBuffer(repeating: 0, count: bytes),
      expires: 1)
  }

  @Test("What is kept stays below its limit, and what is asked for stays longest")
  func bounded() {
    let hot = HotRenditions(maxBytes: 1_000_000)
    hot.keep(answer(0, bytes: 10_000), for: "first", since: hot.moment)
    for number in 1...500 {
      hot.keep(answer(Int64(number), bytes: 10_000), for: "\(number)", since: hot.moment)
      #expect(hot.bytes <= 1_000_000)
      #expect(hot.answer(for: "first") != nil)
    }
    #expect(hot.answer(for: "1") == nil)
    hot.keep(answer(501, bytes: 300_000), for: "large", since: hot.moment)
    #expect(hot.answer(for: "large") == nil)
  }

  @Test("An answer of before a cut is not kept after it")
  func late() {
    let hot = HotRenditions(maxBytes: 1_000_000)
    let moment = hot.moment
    hot.cut([FileID(rawValue: 9)])
    hot.keep(answer(1, bytes: 10), for: "a", since: moment)
    #expect(hot.answer(for: "a") == nil)
    hot.keep(answer(1, bytes: 10), for: "a", since: hot.moment)
    #expect(hot.answer(for: "a") != nil)
    hot.cut([FileID(rawValue: 2)])
    #expect(hot.answer(for: "a") != nil)
    hot.cut([FileID(rawValue: 1)])
    #expect(hot.answer(for: "a") == nil)
  }
}
