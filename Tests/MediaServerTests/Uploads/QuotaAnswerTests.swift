internal import MediaService
internal import RawHTTP
internal import Testing

@Suite("Quotas over HTTP") struct QuotaAnswerTests {
  @Test(
    "507 for a quota of bytes, of files or of drafts has Retry-After: an hour", arguments: ["bytes", "files", "drafts"])
  func retryAfter(quota: String) async throws {
    try await UploadServer.start(serving: { configuration in
      switch quota {
      case "bytes": configuration.limits.ownerBytes = 1_000
      case "files": configuration.limits.ownerFiles = 1
      default: configuration.limits.drafts = 1
      }
    }) { server in
      func create() async throws -> RawResponse {
        if quota == "drafts" { return try await server.request("POST", "/v1/drafts", body: []) }
        return try await server.tus("POST", "/v1/uploads", ["Upload-Length": "600"], body: [])
      }
      #expect(try await create().status == 201)
      let refused = try await create()
      #expect(refused.status == 507)
      #expect(refused.json["code"] as? String == "quotaExceeded")
      #expect(refused["Retry-After"] == "3600")
    }
  }
}
