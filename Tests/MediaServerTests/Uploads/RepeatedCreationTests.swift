internal import RawHTTP
internal import Testing

@testable internal import MediaService

/// Creations of resumable uploads that are repeated with their idempotency key.
@Suite("Repeated creations of uploads") struct RepeatedCreationTests {
  private let key = ["Idempotency-Key": "\"one\""]

  /// Unfinished uploads of the owner of the tests.
  private func openUploads(_ server: UploadServer) -> Int {
    server.service.uploads.registry.reserved(of: "ada").uploads
  }

  @Test("tus: a repeated creation gets the same address with the present offset; another owner's gets one of its own")
  func tus() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(300)
      func create(_ fields: [String: String] = [:]) async throws -> RawResponse {
        let all = ["Upload-Length": "300"].merging(key) { $1 }.merging(fields) { $1 }
        return try await server.tus("POST", "/v1/uploads", all, body: [])
      }
      let first = try await create()
      #expect(first.status == 201)
      #expect(first["Upload-Offset"] == "0")
      let address = try #require(first["Location"])
      _ = try await server.tus("PATCH", address, ["Upload-Offset": "0"], body: Array(text[..<100]))
      let again = try await create()
      #expect(again.status == 201)
      #expect(again["Location"] == address)
      #expect(again["Upload-Offset"] == "100")
      let foreign = try await create(["X-Owner": "bob"])
      #expect(foreign.status == 201)
      #expect(foreign["Location"] != address)
      #expect(foreign["Upload-Offset"] == "0")
      #expect(try await create(["Upload-Length": "301"]).status == 422)
      _ = try await server.tus("PATCH", address, ["Upload-Offset": "100"], body: Array(text[100...]))
      let finished = try await create()
      #expect(finished["Location"] == address)
      #expect(finished["Upload-Offset"] == "300")
      #expect(finished["Content-Location"] != nil)
    }
  }

  @Test("tus: a creation that is cut in its body leaves one upload, which its repetition finds with what arrived")
  func cutCreation() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(120_000)
      let fields = [
        "Tus-Resumable": "1.0.0", "Upload-Length": "\(text.count)", "Content-Type": "application/offset+octet-stream",
      ].merging(key) { $1 }
      try await cut("/v1/uploads", fields, Array(text[..<50_000]), of: text.count, server)
      let again = try await server.request("POST", "/v1/uploads", fields, body: text)
      #expect(again.status == 201)
      #expect(openUploads(server) == 1)
      let offset = try #require(again["Upload-Offset"].flatMap { Int($0) })
      #expect(offset <= 50_000)
      let last = try await server.tus(
        "PATCH", try #require(again["Location"]), ["Upload-Offset": "\(offset)"], body: Array(text[offset...]))
      #expect(last.status == 204)
      let id = try #require(last["Content-Location"]?.split(separator: "/").last.map(String.init))
      #expect(try await server.original(id) == text)
    }
  }

  @Test("IETF: a creation that is cut in its body is found by its repetition, and at its end gives the attachment")
  func cutIETF() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(120_000)
      let fields = ["Upload-Draft-Interop-Version": "6", "Upload-Complete": "?1"].merging(key) { $1 }
      let address = try #require(
        try await cut("/v1/attachments", fields, Array(text[..<50_000]), of: text.count, server, hasInterim: true))
      let again = try await server.request("POST", "/v1/attachments", fields, body: text)
      #expect(again.status == 201)
      #expect(again["Location"] == address)
      #expect(again["Upload-Complete"] == "?0")
      #expect(openUploads(server) == 1)
      let offset = try #require(again["Upload-Offset"].flatMap { Int($0) })
      #expect(offset <= 50_000)
      let rest = fields.merging(["Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)"]) { $1 }
      let last = try await server.request("PATCH", address, rest, body: Array(text[offset...]))
      #expect(last.status == 201)
      let finished = try await server.request("POST", "/v1/attachments", fields, body: text)
      #expect(finished.status == 201)
      #expect(finished["Upload-Complete"] == "?1")
      #expect(finished["Location"] == last["Location"])
    }
  }

  @Test("IETF: a repeated creation of several requests gets the same address; another owner's gets one of its own")
  func severalRequests() async throws {
    try await UploadServer.start { server in
      func create(_ fields: [String: String] = [:]) async throws -> RawResponse {
        let all = ["Upload-Complete": "?0"].merging(key) { $1 }.merging(fields) { $1 }
        return try await server.request("POST", "/v1/uploads", all, body: UploadServer.text(200))
      }
      let address = try #require(try await create()["Location"])
      let again = try await create()
      #expect(again.status == 201)
      #expect(again["Location"] == address)
      #expect(again["Upload-Offset"] == "200")
      #expect(try await create(["X-Owner": "bob"])["Location"] != address)
    }
  }

  @Test("After the upload was deleted, a repeated creation creates it again")
  func deleted() async throws {
    try await UploadServer.start { server in
      let address = try await server.create(100, key)
      #expect(try await server.create(100, key) == address)
      #expect(try await server.tus("DELETE", address).status == 204)
      let again = try await server.create(100, key)
      #expect(again.hasPrefix("/v1/uploads/"))
      #expect(again != address)
    }
  }

  /// Sends a creation with a part of its body, and resets the connection when the server has begun to take the bytes.
  /// - Returns: The address in the interim answer, if there is one.
  @discardableResult
  private func cut(
    _ target: String, _ fields: [String: String], _ part: [UInt8], of length: Int, _ server: UploadServer,
    hasInterim: Bool = false
  ) async throws -> String? {
    let connection = try await RawConnection(port: server.port)
    let lines = fields.merging(["Host": "localhost", "Content-Length": "\(length)"]) { $1 }
      .map { "\($0.key): \($0.value)\r\n" }.joined()
    try await connection.send(Array("POST \(target) HTTP/1.1\r\n\(lines)\r\n".utf8) + part)
    let address = hasInterim ? try await connection.readHead()["Location"] : nil
    while try server.parts().isEmpty { await Task.yield() }
    connection.reset()
    return address
  }
}
