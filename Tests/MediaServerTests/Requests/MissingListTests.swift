internal import Foundation
internal import RawHTTP
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

/// A list that is missing is a mistake of the client, and no request for nothing.
@Suite struct MissingListTests {
  @Test func `A request without a required parameter of its query is answered with 400 and the name of the parameter`()
    async throws
  {
    let required = try Self.requiredParameters()
    // A document that lost them would prove nothing.
    let ofIDs = required.filter { $0.names == ["ids"] }.map { "\($0.method) \($0.path)" }.sorted()
    #expect(ofIDs == ["DELETE /v1/grants", "DELETE /v1/trips/{trip}/moments", "GET /v1/attachments"])
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }) { server in
      for (method, path, names) in required {
        for name in names {
          for query in ["", "?other=1", "?\(name)=", "?\(name)"] + (name == "ids" ? ["?ids=,", "?ids=%2C"] : []) {
            let target = path.replacing(/\{[a-z]+\}/, with: "999999") + query
            let answer = try await server.request(method, target, Tokens.field("anna"))
            Self.expect(answer, names: name, of: "\(method) \(target)")
            #expect(try await server.request(method, target).status == 401, "\(method) \(target)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("/v1/grants", "ids"), ("/v1/check", "attachments"), ("/v1/trips/999999/moments", "moments"),
    ("/v1/drafts/\(String(repeating: "0", count: 32))/attachments", "attachments"),
  ])
  func `A body without a required list is answered with 400 and the key of the list`(path: String, key: String)
    async throws
  {
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }) { server in
      let fields = Tokens.field("anna").merging(["Content-Type": "application/json"]) { $1 }
      for body in ["{}", "{\"other\":[\"1\"]}", "{\"\(key)\":null}", "{\"\(key)\":\"1\"}"] {
        let answer = try await server.request("POST", path, fields, body: Array(body.utf8))
        Self.expect(answer, names: key, of: "POST \(path) \(body)")
      }
    }
  }

  private static func expect(_ answer: RawResponse, names name: String, of request: String) {
    #expect(answer.status == 400, "\(request)")
    #expect(answer.json["code"] as? String == "invalidRequest", "\(request)")
    #expect((answer.json["detail"] as? String)?.contains("`\(name)`") == true, "\(request): \(answer.text)")
  }

  /// The operations of the document that have required parameters in their query.
  private static func requiredParameters() throws -> [(method: String, path: String, names: [String])] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: OpenAPITests.file)) as? [String: Any]
    let components = json?["components"] as? [String: Any]
    let shared = try #require(components?["parameters"] as? [String: [String: Any]])
    let paths = try #require(json?["paths"] as? [String: [String: Any]])
    return paths.flatMap { path, item in
      item.compactMap { method, operation in
        let references = (operation as? [String: Any])?["parameters"] as? [[String: Any]] ?? []
        let names = references.compactMap { reference -> String? in
          let name = (reference["$ref"] as? String)?.split(separator: "/").last.map(String.init)
          let parameter = name.flatMap { shared[$0] } ?? reference
          guard parameter["in"] as? String == "query", parameter["required"] as? Bool == true else { return nil }
          return parameter["name"] as? String
        }
        return names.isEmpty ? nil : (method.uppercased(), path, names)
      }
    }
  }
}
