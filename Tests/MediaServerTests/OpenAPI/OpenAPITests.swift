internal import Foundation
internal import Hummingbird
internal import MediaService
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite("The OpenAPI document") struct OpenAPITests {
  @Test("The document has every route of the server, and the server has every route of the document") func routes()
    async throws
  {
    try await TestServer.start { server in
      var configuration = MediaServer.Configuration()
      configuration.metrics = PrometheusRegistry()
      let router = try await MediaServer(server.service, configuration).router(ServerReport(PrometheusRegistry()))
      let registered = Set(router.routes.map { "\($0.method.rawValue) \(Self.normal($0.path.description))" })
      let documented = Set(try Self.operations().map { "\($0.method) \(Self.normal($0.path))" })
      #expect(registered.subtracting(documented).sorted() == [])
      #expect(documented.subtracting(registered).sorted() == [])
    }
  }

  @Test("The document is served with an entity tag, without a token, as it is in the program") func served()
    async throws
  {
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }) { server in
      let answer = try await server.request("GET", "/openapi.json")
      #expect(answer.status == 200)
      #expect(answer["Content-Type"] == "application/json")
      #expect(answer.body == [UInt8](try Data(contentsOf: Self.file)))
      let tag = try #require(answer["ETag"])
      let again = try await server.request("GET", "/openapi.json", ["If-None-Match": "\"other\", \(tag)"])
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
      #expect(try await server.request("POST", "/openapi.json", body: []).status == 405)
    }
  }

  @Test("The document is valid, and its examples match their schemas") func valid() async throws {
    guard let python = PythonTools.python(for: "the OpenAPI document") else { return }
    let output = try await PythonTools.run(python, [Self.check, Self.file.path])
    #expect(output.status == 0, "\(output.text)\(output.errors)")
  }

  @Test("the answers of every operation are those that it describes") func answers() async throws {
    try await TestServer.start(configure: OpenAPIWalk.configure, serving: OpenAPIWalk.serving) { server in
      let walk = OpenAPIWalk(server: server)
      try await walk.walk()
      let documented = Set(try Self.operations().map { "\($0.method) \($0.path)" })
      let answered = try Self.matched(walk.answers.filter { $0.status < 400 })
      #expect(documented.subtracting(answered).sorted() == [], "operations without an answer")
      // Nobody reads without a token or a signed URL, so a cache that several people share may keep nothing.
      let kept = walk.answers.filter { $0.method == "GET" && $0.path.hasPrefix("/v1/") && $0.status != 304 }
        .filter { answer in
          let rule = answer.response["Cache-Control"] ?? ""
          return !(rule.contains("private") || rule.contains("no-store")) || rule.contains("s-maxage")
        }
      #expect(kept.map { "\($0.status) \($0.target)" } == [], "answers that a shared cache may keep")
      guard let python = PythonTools.python(for: "that answers are as documented") else { return }
      let lines = try walk.answers.map { try $0.line() }.joined(separator: "\n")
      let list = try server.folder.write(Array(lines.utf8), to: "answers.ndjson")
      let output = try await PythonTools.run(python, [Self.check, Self.file.path, list])
      #expect(output.status == 0, "\(output.text)\(output.errors)")
    }
  }

  @Test("Each operation that creates something takes an Idempotency-Key, unless its repetition finds what it created")
  func idempotent() throws {
    let repeatable: Set<String> = [
      // The draft of its recipients is replaced; an SMS is recognised by its content; the rest of an upload has an offset.
      "POST /v1/threads", "POST /v1/messages/sms", "PATCH /v1/uploads/{upload}", "POST /v1/uploads/{upload}",
    ]
    var withoutKey = Set<String>()
    for (method, path) in try Self.operations() {
      let operation = try Self.operation(method, path)
      guard (operation["responses"] as? [String: Any])?["201"] != nil else { continue }
      let parameters = operation["parameters"] as? [[String: Any]] ?? []
      let names = parameters.compactMap { $0["$ref"] as? String }
      if !names.contains("#/components/parameters/IdempotencyKey") { withoutKey.insert("\(method) \(path)") }
    }
    #expect(withoutKey.symmetricDifference(repeatable).sorted() == [])
  }

  @Test("Each answer that asks to come back later states when") func retryAfter() throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file)) as? [String: Any]
    let components = try #require(json?["components"] as? [String: Any])
    let shared = try #require(components["responses"] as? [String: [String: Any]])
    var count = 0
    for (method, path) in try Self.operations() {
      let responses = try Self.operation(method, path)["responses"] as? [String: [String: Any]] ?? [:]
      for (status, response) in responses where ["429", "503", "507"].contains(status) {
        count += 1
        let name = (response["$ref"] as? String)?.split(separator: "/").last.map(String.init)
        let fields = (name.flatMap { shared[$0] } ?? response)["headers"] as? [String: Any]
        #expect(fields?["Retry-After"] != nil, "\(method) \(path) \(status)")
      }
    }
    #expect(count > 100)
  }

  static let file = Corpus.packageRoot.appendingPathComponent("Sources/MediaServer/OpenAPI/openapi.json")
  static let check =
    Corpus.packageRoot.appendingPathComponent("Tests/MediaServerTests/OpenAPI/Checks/answers.py").path

  /// Methods and paths of the document.
  static func operations() throws -> [(method: String, path: String)] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let paths = try #require(json?["paths"] as? [String: [String: Any]])
    return paths.flatMap { path, item in
      item.keys.filter { $0 != "parameters" }.map { ($0.uppercased(), path) }
    }
  }

  private static func operation(_ method: String, _ path: String) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let paths = try #require(json?["paths"] as? [String: [String: Any]])
    return try #require(paths[path]?[method.lowercased()] as? [String: Any])
  }

  /// The operations to which answers belong.
  private static func matched(_ answers: [OpenAPIWalk.Answer]) throws -> Set<String> {
    let operations = try operations()
    return Set(
      answers.flatMap { answer in
        let parts = answer.path.split(separator: "/")
        return operations.filter { operation in
          let template = operation.path.split(separator: "/")
          return operation.method == answer.method && template.count == parts.count
            && zip(template, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.map { "\($0.method) \($0.path)" }
      })
  }

  /// A path without the names of its parameters.
  private static func normal(_ path: String) -> String {
    let parts = path.split(separator: "/").map { $0.hasPrefix(":") || $0.hasPrefix("{") ? "{}" : $0 }
    return "/" + parts.joined(separator: "/")
  }
}
