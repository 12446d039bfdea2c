internal import RawHTTP
internal import Testing

/// Cases of tus-java-server's `rufh_conformity_test.py` that no other suite has, without a version, as the published protocol will be. One differs: a
/// request with more bytes than remain is refused, and the upload stays valid, because none of its bytes were taken.
@Suite("Resumable uploads for HTTP: conformity") struct IETFConformityTests {
  private static let inconsistent = "https://iana.org/assignments/http-problem-types#inconsistent-upload-length"
  private static let patchType = ["Content-Type": "application/partial-upload"]

  /// Creates an upload of 50 bytes, and returns its address.
  private func create(_ server: UploadServer) async throws -> String {
    let created = try await server.request(
      "POST", "/v1/uploads", ["Upload-Complete": "?0", "Upload-Length": "50"], body: [])
    #expect(created.status == 201)
    return try #require(created["Location"])
  }

  private func append(
    _ bytes: Int, at offset: Int, _ more: [String: String] = [:], to address: String, _ server: UploadServer
  ) async throws -> RawResponse {
    let fields = ["Upload-Offset": "\(offset)", "Upload-Complete": "?0"].merging(Self.patchType) { $1 }
    return try await server.request(
      "PATCH", address, fields.merging(more) { $1 }, body: UploadServer.text(bytes))
  }

  @Test("A length that contradicts the body or an earlier length is refused, and the upload can be continued")
  func lengths() async throws {
    try await UploadServer.start { server in
      let address = try await create(server)
      let answers = [
        try await server.request(
          "POST", "/v1/attachments", ["Upload-Complete": "?1", "Upload-Length": "100"], body: UploadServer.text(5)),
        try await append(10, at: 0, ["Upload-Length": "40"], to: address, server),
        try await append(51, at: 0, to: address, server),
        try await append(10, at: 0, ["Upload-Complete": "?1"], to: address, server),
      ]
      // The creation made no upload; the others state where it continues.
      #expect(answers.map { $0["Upload-Offset"] } == [nil, "0", "0", "0"])
      for (number, answer) in answers.enumerated() {
        #expect(answer.status == 400, "\(number)")
        #expect(answer.json["type"] as? String == Self.inconsistent, "\(number)")
        #expect(answer["Upload-Complete"] == "?0", "\(number)")
        #expect(answer["Upload-Limit"]?.contains("max-size=104857600") == true, "\(number)")
      }
      #expect(try await server.request("HEAD", address)["Upload-Offset"] == "0")
    }
  }

  @Test("A body that turns out to be longer than the upload ends it, and the answer says not to resume")
  func endless() async throws {
    try await UploadServer.start { server in
      let address = try await create(server)
      let connection = try await RawConnection(port: server.port)
      try await connection.send(
        "PATCH \(address) HTTP/1.1\r\nHost: x\r\nContent-Type: application/partial-upload\r\nUpload-Offset: 0\r\n"
          + "Upload-Complete: ?0\r\nTransfer-Encoding: chunked\r\n\r\n33\r\n" + String(repeating: "a", count: 51)
          + "\r\n0\r\n\r\n")
      let answer = try await connection.readResponse()
      #expect(answer.status == 400)
      #expect(answer.json["type"] as? String == Self.inconsistent)
      #expect(answer["Upload-Complete"] == "?1")
      #expect(try await server.request("HEAD", address).status == 410)
    }
  }

  @Test("A creation above the limit is refused with the limits") func tooLarge() async throws {
    try await UploadServer.start { server in
      let answer = try await server.request(
        "POST", "/v1/uploads", ["Upload-Complete": "?0", "Upload-Length": "104857601"], body: [])
      #expect(answer.status == 413)
      #expect(answer["Upload-Limit"]?.contains("max-size=104857600") == true)
      #expect(answer["Upload-Complete"] == "?1")
    }
  }

  @Test("Appends at the present offset are taken, others are 409 with it, and those after the end repeat it or are 410")
  func appends() async throws {
    try await UploadServer.start { server in
      let address = try await create(server)
      let options = try await server.request("OPTIONS", "/v1/uploads", ["Upload-Complete": "?1"])
      #expect(options.status == 204)
      #expect(options["Upload-Limit"]?.contains("min-size=0") == true)
      #expect(try await append(0, at: 0, to: address, server).status == 204)
      #expect(try await append(32, at: 0, to: address, server)["Upload-Offset"] == "32")
      let stale = try await append(10, at: 5, to: address, server)
      #expect(stale.status == 409)
      #expect(stale["Upload-Offset"] == "32")
      #expect(stale["Upload-Complete"] == "?0")
      #expect(try await server.request("PATCH", address, Self.patchType, body: UploadServer.text(5)).status == 400)
      // The last byte arrives alone.
      #expect(try await append(17, at: 32, to: address, server).status == 204)
      let last = try await append(1, at: 49, ["Upload-Complete": "?1"], to: address, server)
      #expect(last.status == 201)
      #expect(last["Upload-Complete"] == "?1")
      let state = try await server.request("HEAD", address)
      #expect(state["Upload-Offset"] == "50")
      #expect(state["Upload-Length"] == "50")
      #expect(state["Upload-Complete"] == "?1")
      #expect(try await server.request("DELETE", address).status == 204)
      #expect(try await append(1, at: 50, to: address, server).status == 410)
      #expect(try await server.request("HEAD", address).status == 410)
    }
  }
}
