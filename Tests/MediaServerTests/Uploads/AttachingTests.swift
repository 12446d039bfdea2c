internal import AttachmentPolicy
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Uploads in one request") struct AttachingTests {
  private func form(_ parts: [(disposition: String, body: [UInt8])], boundary: String = "b0undary") -> [UInt8] {
    parts.flatMap { part in
      Array("--\(boundary)\r\nContent-Disposition: form-data; \(part.disposition)\r\n\r\n".utf8) + part.body + [
        0x0d, 0x0a,
      ]
    } + Array("--\(boundary)--\r\n".utf8)
  }

  private let formType = ["Content-Type": "multipart/form-data; boundary=b0undary"]

  @Test(
    "R-CHAT-3: the bytes of a photo are answered with its attachment: facts, verdict, placeholder, module, addresses")
  func raw() async throws {
    try await UploadServer.start { server in
      let photo = try UploadServer.photo()
      let answer = try await server.request(
        "POST", "/v1/attachments",
        ["Content-Type": "image/jpeg", "Content-Disposition": "attachment; filename*=UTF-8''na%C3%AFve.jpg"],
        body: photo)
      #expect(answer.status == 201)
      let json = answer.json
      let id = try #require(json["id"] as? String)
      #expect(answer["Location"] == "/v1/attachments/\(id)")
      #expect(json["name"] as? String == "naïve.jpg")
      #expect((json["info"] as? [String: Any])?["type"] as? String == "image/jpeg")
      #expect((json["verdict"] as? [String: Any])?["accepted"] as? Bool == true)
      #expect((json["placeholder"] as? [String: Any])?["thumbhash"] != nil)
      #expect((json["module"] as? [String: Any])?["kind"] as? String == "image")
      #expect((json["urls"] as? [String: Any])?["original"] != nil)
      #expect(try await server.original(id) == photo)
    }
  }

  @Test("A form with one file and fields is read; the file is stored unchanged")
  func form() async throws {
    try await UploadServer.start { server in
      let photo = try UploadServer.photo()
      let body = form([
        ("name=\"title\"", Array("x".utf8)), ("name=\"file\"; filename=\"a \\\"b\\\".jpg\"", photo),
        ("name=\"after\"", []),
      ])
      let answer = try await server.request("POST", "/v1/attachments", formType, body: body)
      #expect(answer.status == 201)
      #expect(answer.json["name"] as? String == "a \"b\".jpg")
      #expect(try await server.original(try #require(answer.json["id"] as? String)) == photo)
    }
  }

  @Test("Of a form that is invalid, or has no file or two, nothing is kept")
  func invalidForms() async throws {
    try await UploadServer.start { server in
      let file = ("name=\"f\"; filename=\"a.txt\"", UploadServer.text(100_000))
      let bodies: [([UInt8], Int)] = [
        (form([file, file]), 400), (form([("name=\"f\"", [1])]), 400), (form([]), 400),
        (Array(form([file]).dropLast(10)), 400),
        (form([("filename=\"x\"", [1])]), 400), (form([file, ("name=\"v\"", UploadServer.text(70_000))]), 413),
        (form((0..<40).map { ("name=\"\($0)\"", []) } + [file]), 413),
        (form([("name=\"v\"", []), ("name=\"v\"", []), file]), 400),
        (form([("name=\"sha256\"", Array(String(repeating: "0", count: 64).utf8)), file]), 400),
        (Array("nonsense".utf8), 400),
      ]
      for (index, (body, status)) in bodies.enumerated() {
        let answer = try await server.request("POST", "/v1/attachments", formType, body: body)
        #expect(answer.status == status, "form \(index)")
      }
      for type in ["multipart/form-data", "multipart/form-data; boundary=\(String(repeating: "b", count: 10_240))"] {
        #expect(
          try await server.request("POST", "/v1/attachments", ["Content-Type": type], body: form([file])).status == 400)
      }
      #expect(try server.parts() == [])
      #expect(try await server.service.library.catalogue.counts(in: .all).isEmpty)
    }
  }

  @Test("A body that ends before its stated length leaves nothing")
  func lostConnection() async throws {
    try await UploadServer.start { server in
      let connection = try await RawConnection(port: server.port)
      let text = UploadServer.text(300_000)
      try await connection.send(
        Array("POST /v1/attachments HTTP/1.1\r\nHost: x\r\nContent-Length: \(text.count)\r\n\r\n".utf8)
          + text[..<200_000])
      while try server.parts().isEmpty { await Task.yield() }
      connection.halfClose()
      _ = try? await connection.waitForEnd()
      while try !server.parts().isEmpty { await Task.yield() }
      #expect(try await server.service.library.catalogue.counts(in: .all).isEmpty)
    }
  }

  @Test(
    "A request with an idempotency key is answered once more with the same attachment, without its bytes being read")
  func idempotency() async throws {
    try await UploadServer.start { server in
      let photo = try UploadServer.photo()
      let fields = ["Content-Type": "image/jpeg", "Idempotency-Key": "\"8e03978e-40d5-43dd-bc93-6894a57f9324\""]
      let first = try await server.request("POST", "/v1/attachments", fields, body: photo)
      let second = try await server.request("POST", "/v1/attachments", fields, body: photo)
      #expect(first.status == 201)
      #expect(second.status == 201)
      #expect(second.body == first.body)
      #expect(second["Location"] == first["Location"])
      let other = try await server.request("POST", "/v1/attachments", fields, body: Array(photo.dropLast()))
      #expect(other.status == 422)
    }
  }

  @Test(
    "A used idempotency key is refused for a file with another digest, also if the file has the same length",
    arguments: ["Repr-Digest", "Content-Digest"])
  func otherDigest(_ field: String) async throws {
    try await UploadServer.start { server in
      let photo = try UploadServer.photo()
      let key = ["Content-Type": "image/jpeg", "Idempotency-Key": "\"one\""]
      #expect(try await server.request("POST", "/v1/attachments", key, body: photo).status == 201)
      let digest = "sha-256=:" + String(repeating: "A", count: 43) + "=:"
      let other = try await server.request(
        "POST", "/v1/attachments", key.merging([field: digest]) { $1 }, body: photo)
      #expect(other.status == 422)
    }
  }

  @Test("Refusals have the status of their reason")
  func statuses() async throws {
    try await UploadServer.start(serving: { $0.rules.maxFileBytes = 100_000 }) { server in
      let cases: [([UInt8], [String: String], Int)] = [
        ([], [:], 422), (UploadServer.text(100_001), [:], 413), (try Fixture.bytes("broken/truncated.jpg"), [:], 422),
        (Array("<!DOCTYPE html><p>".utf8), ["Content-Type": "image/png"], 415),
        ([1, 2, 3], ["Content-Encoding": "gzip"], 415), ([1, 2, 3], ["X-Owner": "nobody"], 401),
      ]
      for (index, (body, fields, status)) in cases.enumerated() {
        let answer = try await server.request("POST", "/v1/attachments", fields, body: body)
        #expect(answer.status == status, "case \(index)")
      }
    }
  }
}
