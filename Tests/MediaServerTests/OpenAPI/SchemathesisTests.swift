internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

/// Requests that schemathesis makes up from the document. `MEDIATOOL_FULL=1` makes all kinds of them, for minutes.
@Suite("schemathesis") struct SchemathesisTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"

  @Test("no request has a fault of the server, or an answer that the document does not have") func requests()
    async throws
  {
    guard let python = PythonTools.python(for: "the server with schemathesis") else { return }
    let server = try await ServerProcess(["--rate", "1000000", "--burst", "1000000"])
    let token = Tokens.field("anna", scope: "read write moderate", lifetime: 36_000)
    var ids: [String: [String]] = [:]
    for (file, type) in [("IMG_0001.jpg", "image/jpeg"), ("VID_0008.mp4", "video/mp4")] {
      let answer = try await server.request(
        "POST", "/v1/attachments", token.merging(["Content-Type": type]) { $1 },
        body: try Fixture.bytes("camera-roll/\(file)"))
      ids["id", default: []].append(try #require(answer.json["id"] as? String, "\(answer.text)"))
    }
    let draft = try await server.request(
      "POST", "/v1/drafts", token, body: Array("{\"attachments\":[\"\(ids["id"]?.first ?? "")\"]}".utf8))
    ids["draft"] = [try #require(draft.json["id"] as? String, "\(draft.text)")]
    for (name, body) in [("trip", "{\"title\":\"Lake\"}"), ("moment", "{\"caption\":\"Late\"}")] {
      let answer = try await server.request("POST", "/v1/\(name)s", token, body: Array(body.utf8))
      ids[name] = [try #require(answer.json["id"] as? String, "\(answer.text)")]
    }
    let received = try await server.request(
      "POST", "/v1/messages", token.merging(["Content-Type": "application/vnd.wap.mms-message"]) { $1 },
      body: NotificationPDU.octets())
    ids["thread"] = [try #require(received.json["thread"] as? String, "\(received.text)")]
    ids["item"] = ids["id"]
    ids["message"] = [ids["draft"]?.first, received.json["id"] as? String].compactMap(\.self)
    ids["name"] = ["grid.webp", "64"]
    let known = String(decoding: try JSONSerialization.data(withJSONObject: ids), as: UTF8.self)
    // The environment of a test is shared: the program `env` sets that of this one.
    let checks = Corpus.packageRoot.appendingPathComponent("Tests/MediaServerTests/OpenAPI/Checks").path
    let arguments = [
      // It writes into the current folder.
      "--chdir=\(server.folder.path(""))", "PYTHONPATH=\(checks)", "SCHEMATHESIS_HOOKS=hooks",
      "MEDIATOOL_KNOWN_IDS=\(known)", "NO_COLOR=1",
      python.executable.path, "-m", "schemathesis.cli", "run", "http://127.0.0.1:\(server.port)/openapi.json",
      "--header", "Authorization: \(token["Authorization"] ?? "")", "--seed", "1", "--generation-database", "none",
      "--phases", Self.isFull ? "examples,coverage,fuzzing,stateful" : "examples,fuzzing",
      "--max-examples", Self.isFull ? "100" : "4", "--continue-on-failure", "--suppress-health-check", "all",
      "--request-timeout", "3600", "--warnings", "off",
      // These would end the run, or the library.
      "--exclude-operation-id", "readTrayEvents", "--exclude-operation-id", "readMessageEvents",
      "--exclude-operation-id", "readEvents",
      "--exclude-operation-id", "eraseOwner", "--checks",
      "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
        + "response_schema_conformance,ignored_auth",
    ]
    let env = try Tool("env", package: "coreutils")
    let output = try await PythonTools.run(env, arguments)
    #expect(output.status == 0, "\(output.text.suffix(20_000))\(output.errors.suffix(2_000))")
    #expect(try await server.request("GET", "/healthz").status == 200)
    server.end()
  }
}
