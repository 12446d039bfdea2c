internal import Foundation
internal import Hummingbird
internal import Logging
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite struct AuditTests {
  @Test func `A line of the audit log names every object of its request`() async throws {
    let log = LogLines()
    try await TestServer.start(configure: { $0.audit = log.logger }) { server in
      let upload = Upload.ID().rawValue
      let draft = String(repeating: "a", count: 32)
      for (method, target) in [
        ("GET", "/v1/attachments/7"), ("HEAD", "/v1/uploads/\(upload)"),
        ("DELETE", "/v1/drafts/\(draft)/attachments/one"),
        ("GET", "/v1/messages/8/modules"), ("GET", "/v1/locations/6.1/members"), ("GET", "/v1/avatars/secret"),
      ] {
        _ = try await server.request(method, target)
      }
      let named = log.lines.map { line in
        ["id", "upload", "draft", "item", "message", "cluster"].compactMap { name in line[name].map { "\(name) \($0)" }
        }
      }
      #expect(
        named == [["id 7"], ["upload \(upload)"], ["draft \(draft)", "item one"], ["message 8"], ["cluster 6.1"], []])
      #expect(!log.lines.contains { $0.values.contains { "\($0)".contains("secret") } })
    }
  }

  @Test func `Each route that accepts signed URLs has the key of a signature in its line`() async throws {
    let log = LogLines()
    let keys = try #require(SigningKeys([.init(id: "k1", secret: Array(repeating: 7, count: 32))]))
    try await TestServer.start {
      ($0.hosts, $0.audit) = (["media.example"], log.logger)
      // Its handler keeps the id of a request.
      $0.logger = LogLines().logger
    } serving: {
      $0.signingKeys = keys
    } _: { server in
      for route in SignedRoute.allCases {
        let path = route.path.replacing(":id", with: "7").replacing(":name", with: "grid.webp")
          .replacing(":number", with: "1")
        let query = keys.query(path: path, expires: 4_102_444_800, generation: 0)
        let id = route.rawValue.filter(\.isLetter)
        let answer = try await server.request("GET", "\(path)?\(query)", ["X-Request-ID": id])
        #expect(answer.status == 404, "\(route)")
        let lines = log.lines.filter { $0["request"] == .string(id) }
        #expect(lines.count == 1, "\(route)")
        #expect(text(lines.first, "key") == "k1", "\(route)")
      }
    }
  }

  /// A request, and the line that it has in the audit log.
  private struct Decision {
    var target: String
    var fields: [String: String] = [:]
    var method = "GET"
    let status: Int
    var owner: String?
    var key: String?
    var code: String?
  }

  @Test func `Every decision about access has a line with its status, owner, key and code, and nothing secret`()
    async throws
  {
    let (log, gate) = (LogLines(), Gate())
    let keys = try Tokens.keys()
    var secrets = ["holiday"]
    try await TestServer.start {
      ($0.keys, $0.hosts, $0.audit) = (keys, ["media.example"], log.logger)
      // Its handler keeps the id and the key of a request, as those of programs do.
      $0.logger = LogLines().logger
      // No token of the rate comes back before the end of the test.
      ($0.requests.rate, $0.requests.burst, $0.requests.others) = (0.001, 3, 1)
      $0.addRoutes = { router in
        router.get("/v1/slow") { _, _ in
          gate.enter()
          await gate.opened()
          return "done"
        }
      }
    } serving: {
      $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(repeating: 7, count: 32))])
    } _: { server in
      let alice = Tokens.field("alice")
      var fields = alice
      fields["Content-Disposition"] = "attachment; filename=\"holiday.jpg\""
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let made = try await server.request("POST", "/v1/attachments", fields, body: photo)
      let id = try #require(made.json["id"] as? String)
      let address = try #require((made.json["urls"] as? [String: String])?["grid"])
      let facts = "/v1/attachments/\(id)"
      for _ in 0..<3 { _ = try await server.request("GET", "/v1/nothing", Tokens.field("eager")) }
      let slow = try await server.connect()
      let decisions = [
        Decision(target: address, status: 200, key: "k1"),
        Decision(target: facts, fields: alice, status: 200, owner: "alice", key: "test"),
        Decision(target: facts, fields: ["Authorization": "Bearer x.y.z"], status: 401, code: "unauthorized"),
        Decision(target: facts, status: 401, code: "unauthorized"),
        // A name in the query of a route that has no signed URLs is nobody's key.
        Decision(target: facts + "?k=other", status: 401, code: "unauthorized"),
        Decision(
          target: facts + "?k=other", fields: Tokens.field("bob"), status: 404, owner: "bob", key: "test",
          code: "notFound"),
        Decision(target: address + "x", status: 403, key: "k1", code: "invalidSignature"),
        Decision(
          target: facts, fields: alice.merging(["Host": "evil.example"]) { $1 }, status: 403, code: "forbidden"),
        Decision(
          target: facts, fields: alice.merging(["Origin": "https://evil.example"]) { $1 }, method: "DELETE",
          status: 403, code: "forbidden"),
        Decision(
          target: facts, fields: Tokens.field("bob"), status: 404, owner: "bob", key: "test", code: "notFound"),
        Decision(
          target: facts, fields: Tokens.field("eager"), status: 429, owner: "eager", key: "test",
          code: "rateLimited"),
        // While the only place for a request is taken.
        Decision(target: facts, fields: Tokens.field("dave"), status: 503, owner: "dave", key: "test", code: "busy"),
      ]
      for (number, decision) in decisions.enumerated() {
        if decision.status == 503 {
          let carol = Tokens.field("carol").map { "\($0): \($1)\r\n" }.joined()
          try await slow.send("GET /v1/slow HTTP/1.1\r\nHost: localhost\r\n\(carol)\r\n")
          await gate.entered()
        }
        let fields = decision.fields.merging(["X-Request-ID": "decision-\(number)"]) { $1 }
        let answer = try await server.request(decision.method, decision.target, fields)
        #expect(answer.status == decision.status, "\(decision)")
        let lines = log.lines.filter { $0["request"] == .string("decision-\(number)") }
        #expect(lines.count == 1, "\(decision)")
        #expect(text(lines.first, "status") == "\(decision.status)", "\(decision)")
        #expect(text(lines.first, "owner") == decision.owner, "\(decision)")
        #expect(text(lines.first, "key") == decision.key, "\(decision)")
        #expect(text(lines.first, "code") == decision.code, "\(decision)")
        secrets += decision.fields["Authorization"].map { [String($0.dropFirst("Bearer ".count))] } ?? []
      }
      secrets.append(String(address.split(separator: "=").last ?? ""))
      gate.open()
      #expect(try await slow.readResponse().text == "done")
    }
    for line in log.lines {
      for (name, value) in line {
        for secret in secrets { #expect(!"\(value)".contains(secret), "\(name)") }
      }
    }
  }

  private func text(_ line: Logger.Metadata?, _ name: String) -> String? { line?[name].map { "\($0)" } }
}
