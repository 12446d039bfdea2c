internal import AttachmentPolicy
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import RawHTTP
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Resumable uploads for HTTP") struct IETFUploadTests {
  /// The head of a URLSession upload task of a version.
  private func head(_ version: Int?, length: Int) -> [UInt8] {
    var text = "POST /v1/attachments HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\nContent-Length: \(length)\r\n"
    if let version { text += "Upload-Draft-Interop-Version: \(version)\r\n" }
    text += version == 3 ? "Upload-Incomplete: ?0\r\n" : "Upload-Complete: ?1\r\n"
    if version == 8 { text += "Upload-Length: \(length)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  private func complete(_ version: Int?, _ isComplete: Bool) -> [String: String] {
    version == 3 ? ["Upload-Incomplete": isComplete ? "?0" : "?1"] : ["Upload-Complete": isComplete ? "?1" : "?0"]
  }

  @Test(
    "URLSession learns the address before its bytes arrive, and goes on after a lost connection",
    arguments: [3, 5, 6, 8])
  func lostConnection(version: Int) async throws {
    try await UploadServer.start { server in
      let photo = try UploadServer.photo()
      let connection = try await RawConnection(port: server.port)
      try await connection.send(head(version, length: photo.count) + photo[..<2_000])
      let interim = try await connection.readHead()
      #expect(interim.status == 104)
      #expect(interim["Upload-Draft-Interop-Version"] == "\(version)")
      let address = try #require(interim["Location"])
      #expect(address.hasPrefix("/v1/uploads/"))
      // Until the server has begun to take the bytes: otherwise they may come after HEAD.
      while try server.parts().isEmpty { await Task.yield() }
      connection.reset()
      let versions = ["Upload-Draft-Interop-Version": "\(version)"]
      let state = try await server.request("HEAD", address, versions)
      #expect(state.status == 204)
      #expect(state["Cache-Control"] == "no-store")
      #expect(state["Upload-Length"] == "\(photo.count)")
      let (name, value) = try #require(complete(version, false).first)
      #expect(state[name] == value)
      let offset = try #require(state["Upload-Offset"].flatMap { Int($0) })
      #expect(offset <= 2_000)
      let fields = versions.merging(complete(version, true)) { $1 }.merging([
        "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)",
      ]) { $1 }
      let last = try await server.request("PATCH", address, fields, body: Array(photo[offset...]))
      #expect(last.status == 201)
      #expect(last[name] == complete(version, true).first?.value)
      let id = try #require(last.json["id"] as? String)
      #expect(last["Location"] == "/v1/attachments/\(id)")
      #expect(try await server.original(id) == photo)
      // Its answer was lost: the client repeats the end.
      let again = try await server.request(
        "PATCH", address, fields.merging(["Upload-Offset": "\(photo.count)"]) { $1 }, body: [])
      #expect(again.status == 201)
      #expect(again.json["id"] as? String == id)
    }
  }

  @Test("No interim answer is sent without a version, with one that is not spoken, and where it is switched off")
  func noInterim() async throws {
    let photo = try UploadServer.photo()
    for (version, interim) in [(nil, true), (99, true), (6, false)] as [(Int?, Bool)] {
      try await UploadServer.start(interim: interim) { server in
        let connection = try await RawConnection(port: server.port)
        try await connection.send(head(version, length: photo.count) + photo)
        let answer = try await connection.readHead()
        #expect(answer.status == 201)
        #expect(try server.parts() == [])
      }
    }
  }

  @Test("A file in several requests is complete when one says so, even an empty one", arguments: [nil, 5, 6, 8])
  func severalRequests(version: Int?) async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(2_000)
      var base: [String: String] = [:]
      base["Upload-Draft-Interop-Version"] = version.map { "\($0)" }
      let created = try await server.request(
        "POST", "/v1/attachments", base.merging(["Upload-Complete": "?0"]) { $1 }, body: Array(text[..<500]))
      #expect(created.status == 201)
      #expect(created["Upload-Complete"] == "?0")
      #expect(created["Upload-Limit"]?.contains("max-size=104857600") == true)
      let address = try #require(created["Location"])
      base["Content-Type"] = "application/partial-upload"
      let second = try await server.request(
        "PATCH", address, base.merging(["Upload-Complete": "?0", "Upload-Offset": "500"]) { $1 },
        body: Array(text[500...]))
      #expect(second.status == (version == 5 ? 201 : 204))
      #expect(second["Upload-Offset"] == "2000")
      #expect(second["Upload-Complete"] == "?0")
      let last = try await server.request(
        "PATCH", address, base.merging(["Upload-Complete": "?1", "Upload-Offset": "2000"]) { $1 }, body: [])
      #expect(last.status == 201)
      #expect(try await server.original(try #require(last.json["id"] as? String)) == text)
      #expect(try await server.request("HEAD", address)["Upload-Complete"] == "?1")
    }
  }

  @Test("A wrong offset is answered with the right one, in the problem of the specification")
  func offsetMismatch() async throws {
    try await UploadServer.start { server in
      let created = try await server.request(
        "POST", "/v1/attachments", ["Upload-Complete": "?0"], body: UploadServer.text(500))
      let answer = try await server.request(
        "PATCH", try #require(created["Location"]),
        ["Upload-Complete": "?1", "Upload-Offset": "400", "Content-Type": "application/partial-upload"],
        body: UploadServer.text(10))
      #expect(answer.status == 409)
      #expect(answer["Upload-Offset"] == "500")
      #expect(answer["Upload-Complete"] == "?0")
      #expect(answer["Content-Type"] == "application/problem+json")
      #expect(
        answer.json["type"] as? String == "https://iana.org/assignments/http-problem-types#mismatching-upload-offset")
      #expect(answer.json["expected-offset"] as? Int == 500)
      #expect(answer.json["provided-offset"] as? Int == 400)
    }
  }

  @Test(
    "Requests that contradict themselves or the upload are refused",
    arguments: [
      (["Upload-Complete": "?1", "Upload-Offset": "500", "Upload-Length": "499"], 400),
      (["Upload-Complete": "?1", "Upload-Offset": "500", "Upload-Length": "9999"], 400),
      (["Upload-Complete": "?1", "Upload-Offset": "x"], 400), (["Upload-Complete": "1", "Upload-Offset": "500"], 400),
      (["Upload-Complete": "?1"], 400), (["Upload-Offset": "500", "Upload-Draft-Interop-Version": "6"], 400),
      (["Upload-Complete": "?0", "Upload-Offset": "500", "Content-Type": "image/jpeg"], 415),
      (
        [
          "Upload-Complete": "?0", "Upload-Offset": "500", "Tus-Resumable": "1.0.0",
          "Content-Type": "application/offset+octet-stream",
        ], 409
      ),
    ] as [([String: String], Int)])
  func contradictions(fields: [String: String], status: Int) async throws {
    try await UploadServer.start { server in
      let created = try await server.request(
        "POST", "/v1/attachments", ["Upload-Complete": "?0"], body: UploadServer.text(500))
      let address = try #require(created["Location"])
      let answer = try await server.request(
        "PATCH", address, ["Content-Type": "application/partial-upload"].merging(fields) { $1 },
        body: UploadServer.text(10))
      #expect(answer.status == status)
      #expect(try await server.request("HEAD", address)["Upload-Offset"] == "500")
    }
  }

  @Test("A refusal before all bytes came says that the upload cannot be resumed")
  func refusal() async throws {
    try await UploadServer.start(serving: { $0.rules.allowedKinds = [.video] }) { server in
      let connection = try await RawConnection(port: server.port)
      // The answer may end the connection before all of this is sent.
      do {
        try await connection.send(head(6, length: 10_000_000) + UploadServer.text(300_000))
      } catch is RawConnection.Failure {}
      let interim = try await connection.readHead()
      let answer = try await connection.readResponse()
      #expect(answer.status == 415)
      #expect(answer["Upload-Complete"] == "?1")
      #expect(answer.json["verdict"] != nil)
      #expect(try await server.request("HEAD", try #require(interim["Location"])).status == 410)
    }
  }

  @Test("The digest of the whole file is compared with its bytes")
  func digest() async throws {
    try await UploadServer.start { server in
      let wrong = Data(repeating: 1, count: 32).base64EncodedString()
      let answer = try await server.request(
        "POST", "/v1/attachments", ["Upload-Complete": "?1", "Repr-Digest": "sha-256=:\(wrong):"],
        body: UploadServer.text(500))
      #expect(answer.status == 400)
      #expect(answer.json["code"] as? String == "checksumMismatch")
    }
  }

  @Test("DELETE ends an upload")
  func deletion() async throws {
    try await UploadServer.start { server in
      let created = try await server.request(
        "POST", "/v1/uploads", ["Upload-Complete": "?0"], body: UploadServer.text(500))
      let address = try #require(created["Location"])
      // That of another protocol does not.
      #expect(try await server.tus("DELETE", address).status == 409)
      #expect(try await server.request("DELETE", address).status == 204)
      #expect(try await server.request("HEAD", address).status == 410)
    }
  }
}
