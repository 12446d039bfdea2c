internal import AttachmentPolicy
internal import Crypto
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import RawHTTP
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

extension TusTests {
  @Test(
    "R-MYM-19: another owner's upload is answered like one that does not exist",
    arguments: ["HEAD", "PATCH", "DELETE", "GET"])
  func foreignUpload(method: String) async throws {
    try await UploadServer.start { server in
      let address = try await server.create(100)
      let fields = ["X-Owner": "bob", "Upload-Offset": "0"]
      let foreign = try await server.tus(method, address, fields, body: [])
      let unknown = try await server.tus(method, "/v1/uploads/00112233445566778899aabbccddeeff", fields, body: [])
      let malformed = try await server.tus(method, "/v1/uploads/..%2f..%2fcatalogue.sqlite", fields, body: [])
      #expect(foreign.status == 404)
      for other in [unknown, malformed] {
        #expect(other.status == 404)
        #expect(other.body == foreign.body)
        #expect(other.fields.map(\.name) == foreign.fields.map(\.name))
      }
    }
  }

  @Test("Ten thousand large uploads that are created and never sent are stopped by the limit of open uploads")
  func flood() async throws {
    try await UploadServer.start { server in
      var statuses: [Int] = []
      for _ in 0..<40 {
        statuses.append(try await server.tus("POST", "/v1/uploads", ["Upload-Length": "104857600"], body: []).status)
      }
      #expect(statuses == [Int](repeating: 201, count: 32) + [Int](repeating: 429, count: 8))
      #expect(try server.parts() == [])
    }
  }

  @Test(
    "A forged Host and forwarded fields appear in no address, and a name never becomes a path or a second header line")
  func forgedFields() async throws {
    try await UploadServer.start { server in
      let name = Data("../../a\r\nX: y\"\u{202E}.txt".utf8).base64EncodedString()
      let created = try await server.tus(
        "POST", "/v1/uploads",
        [
          "Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example",
          "Upload-Length": "3", "Upload-Metadata": "filename \(name)",
          "Content-Type": "application/offset+octet-stream",
        ], body: Array("abc".utf8))
      #expect(created.status == 201)
      #expect(!created.fields.contains { $0.value.contains("evil") })
      #expect(created["X"] == nil)
      let answer = try await server.request("GET", try #require(created["Location"])).json
      #expect((answer["attachment"] as? [String: Any])?["name"] as? String == "aX: y\".txt")
    }
  }
}
