internal import Crypto
internal import Foundation
internal import MediaLibrary
internal import RawHTTP
internal import Testing

@testable internal import MediaService

@Suite("Digests of uploads") struct UploadDigestTests {
  private let text = UploadServer.text(500)

  private func sha256(_ bytes: [UInt8]) -> String { Data(SHA256.hash(data: bytes)).base64EncodedString() }

  /// The value of a field of RFC 9530.
  private func digest(_ bytes: [UInt8]) -> String { "sha-256=:\(sha256(bytes)):" }

  @Test("Content-Digest of a resumable creation with the whole file is compared", arguments: ["5", "6", "8"])
  func wholeBody(version: String) async throws {
    try await UploadServer.start { server in
      let fields = ["Upload-Complete": "?1", "Upload-Draft-Interop-Version": version]
      let wrong = try await server.request(
        "POST", "/v1/attachments", fields.merging(["Content-Digest": digest([1])]) { $1 }, body: text)
      #expect(wrong.status == 400)
      #expect(wrong.json["code"] as? String == "checksumMismatch")
      #expect(wrong["Upload-Complete"] == "?1")
      let right = try await server.request(
        "POST", "/v1/attachments", fields.merging(["Content-Digest": digest(text)]) { $1 }, body: text)
      #expect(right.status == 201)
    }
  }

  @Test("Repr-Digest and Content-Digest of a body that is the whole file do not differ")
  func contradiction() async throws {
    try await UploadServer.start { server in
      let fields = ["Repr-Digest": digest(text), "Content-Digest": digest([1])]
      let answer = try await server.request("POST", "/v1/attachments", fields, body: text)
      #expect(answer.status == 400)
      #expect(answer.json["code"] as? String == "checksumMismatch")
    }
  }

  @Test("A piece with a wrong Content-Digest is not kept, and the upload continues at its offset")
  func pieces() async throws {
    try await UploadServer.start { server in
      let (first, second) = (Array(text[..<250]), Array(text[250...]))
      let created = try await server.request(
        "POST", "/v1/uploads", ["Upload-Complete": "?0", "Content-Digest": digest(second)], body: first)
      #expect(created.status == 400)
      #expect(created["Upload-Complete"] == "?0")
      #expect(created["Upload-Offset"] == "0")
      let address = try #require(created["Location"])
      func append(_ piece: [UInt8], at offset: Int, _ isLast: String, _ digest: String) async throws -> RawResponse {
        try await server.request(
          "PATCH", address,
          [
            "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)", "Upload-Complete": isLast,
            "Content-Digest": digest,
          ], body: piece)
      }
      #expect(try await append(first, at: 0, "?0", digest(first)).status == 204)
      let wrong = try await append(second, at: 250, "?1", digest(first))
      #expect(wrong.status == 400)
      #expect(wrong["Upload-Complete"] == "?0")
      #expect(wrong["Upload-Offset"] == "250")
      let last = try await append(second, at: 250, "?1", digest(second))
      #expect(last.status == 201)
      #expect(try await server.original(try #require(last.json["id"] as? String)) == text)
    }
  }

  @Test("tus: the checksum of the first piece in a creation is compared, and the upload continues without that piece")
  func creation() async throws {
    try await UploadServer.start { server in
      func create(_ checksum: String) async throws -> RawResponse {
        let fields = [
          "Upload-Length": "\(text.count)", "Content-Type": "application/offset+octet-stream",
          "Upload-Checksum": checksum,
        ]
        return try await server.tus("POST", "/v1/uploads", fields, body: text)
      }
      let malformed = try await create("md5 AAAA")
      #expect(malformed.status == 400)
      #expect(malformed["Location"] == nil)
      let wrong = try await create("sha256 \(sha256([1]))")
      #expect(wrong.status == 460)
      #expect(wrong["Upload-Offset"] == "0")
      let address = try #require(wrong["Location"])
      #expect(try await server.tus("PATCH", address, ["Upload-Offset": "0"], body: text).status == 204)
      let right = try await create("sha256 \(sha256(text))")
      #expect(right.status == 201)
      #expect(right["Upload-Offset"] == "\(text.count)")
    }
  }

  @Test(
    "A form with a digest or a draft after the file is refused, and nothing of it is kept",
    arguments: ["sha256", "draft"])
  func lateFields(name: String) async throws {
    try await UploadServer.start { server in
      let value = [UInt8](repeating: 0x30, count: 64)
      var body: [UInt8] = []
      for (disposition, bytes) in [("name=\"f\"; filename=\"a.txt\"", text), ("name=\"\(name)\"", value)] {
        body += Array("--b\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n".utf8) + bytes
        body += Array("\r\n".utf8)
      }
      body += Array("--b--\r\n".utf8)
      let answer = try await server.request(
        "POST", "/v1/attachments", ["Content-Type": "multipart/form-data; boundary=b"], body: body)
      #expect(answer.status == 400)
      #expect(try server.parts() == [])
      #expect(try await server.service.library.catalogue.counts(in: .all).isEmpty)
    }
  }
}
