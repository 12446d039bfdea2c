internal import Foundation
internal import Hummingbird
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

/// Methods that a URL does not have (RFC 9110, section 15.5.6).
@Suite struct MethodTests {
  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]

  @Test func `Every method that the document does not have for a path is answered with 405 and those that it has`()
    async throws
  {
    let paths = Dictionary(grouping: try OpenAPITests.operations(), by: \.path)
    #expect(paths.count > 80)
    try await TestServer.start(configure: OpenAPIWalk.configure, serving: OpenAPIWalk.serving) { server in
      let owner = Tokens.field("anna", scope: "read write moderate")
      for (path, operations) in paths.sorted(by: { $0.key < $1.key }) {
        let documented = Set(operations.map(\.method))
        let allowed = documented.contains("GET") ? documented.union(["HEAD"]) : documented
        let target = path.replacing(/\{[a-z0-9]+\}/, with: "999999")
        for method in Self.methods where !allowed.contains(method) {
          let answer = try await server.request(method, target, owner)
          #expect(answer.status == 405, "\(method) \(path)")
          #expect(Set((answer["Allow"] ?? "").split(separator: ", ").map(String.init)) == allowed, "\(method) \(path)")
          if method != "HEAD" {
            #expect(answer.json["code"] as? String == "methodNotAllowed", "\(method) \(path)")
          }
        }
      }
    }
  }

  @Test func `No method is allowed at a path that has no route`() async throws {
    try await TestServer.start { server in
      for path in ["/v1/nothing", "/v1/messages/sms/nothing", "/v1/attachments/1/nothing", "/nothing"] {
        for method in Self.methods {
          let answer = try await server.request(method, path)
          #expect(answer.status == 404, "\(method) \(path)")
          #expect(answer["Allow"] == nil, "\(method) \(path)")
        }
      }
    }
  }

  @Test func `A POST of an upload without X-HTTP-Method-Override is answered with 405 and the methods of an upload`()
    async throws
  {
    try await TestServer.start { server in
      for fields in [[:], ["X-HTTP-Method-Override": "PUT"], ["X-HTTP-Method-Override": "POST"]] {
        let address = "/v1/uploads/" + String(repeating: "0", count: 32)
        let answer = try await server.request("POST", address, fields, body: [])
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH")
        #expect(answer.json["code"] as? String == "methodNotAllowed")
      }
    }
  }

  @Test func `Metrics have the status that the client gets`() async throws {
    let registry = PrometheusRegistry()
    try await TestServer.start(configure: { $0.metrics = registry }) { server in
      let answer = try await server.request("DELETE", "/v1/messages/settings")
      #expect(answer.status == 405)
      #expect(registry.text().contains("status=\"405\""))
      #expect(!registry.text().contains("status=\"404\""))
    }
  }

  @Test func `The methods of a path are those of its most specific route`() {
    let router = Router(context: MediaServer.Context.self)
    router.get("/a/{id}") { _, _ in "" }
    router.delete("/a/{id}") { _, _ in "" }
    router.post("/a/b") { _, _ in "" }
    router.put("/a/b/{id}") { _, _ in "" }
    router.get("/a/{id}/c") { _, _ in "" }
    router.patch("/a/x{id}") { _, _ in "" }
    router.put("/**") { _, _ in "" }
    let table = RouteTable()
    table.fill(from: router)
    #expect(table.methods(for: "/a/b") == ["POST"])
    #expect(table.methods(for: "/a/d") == ["GET", "HEAD", "DELETE"])
    #expect(table.methods(for: "/a/xd") == ["PATCH"])
    #expect(table.methods(for: "/a/b/c") == ["PUT"])
    #expect(table.methods(for: "/a/d/c") == ["GET", "HEAD"])
    #expect(table.methods(for: "/q/r") == ["PUT"])
  }
}
