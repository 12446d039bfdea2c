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
}
