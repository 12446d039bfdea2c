internal import AttachmentPolicy
internal import Crypto
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import RawHTTP
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("tus 1.0") struct TusTests {
  @Test("OPTIONS lists version, extensions, checksum algorithms and the largest file, without a token")
  func options() async throws {
    try await UploadServer.start { server in
      let answer = try await server.request("OPTIONS", "/v1/uploads", ["X-Owner": "nobody"])
      #expect(answer.status == 204)
      #expect(answer["Tus-Version"] == "1.0.0")
      #expect(
        answer["Tus-Extension"]
          == "creation,creation-with-upload,creation-defer-length,expiration,checksum,termination")
      #expect(answer["Tus-Checksum-Algorithm"] == "sha1,sha256")
      #expect(answer["Tus-Max-Size"] == "104857600")
    }
  }

  @Test(
    "A file in two pieces is an attachment after the second, which names its address; the upload's address has the verdict"
  )
  func twoPieces() async throws {
    try await UploadServer.start { server in
      let photo = try UploadServer.photo()
      let metadata = "filename aS5qcGc=,filetype aW1hZ2UvanBlZw=="
      let created = try await server.tus(
        "POST", "/v1/uploads", ["Upload-Length": "\(photo.count)", "Upload-Metadata": metadata], body: [])
      #expect(created.status == 201)
      #expect(created["Upload-Expires"] != nil)
      #expect(created["Tus-Resumable"] == "1.0.0")
      let address = try #require(created["Location"])
      #expect(address.hasPrefix("/v1/uploads/"))
      let first = try await server.tus(
        "PATCH", address, ["Upload-Offset": "0"], body: Array(photo[..<1_000]))
      #expect(first.status == 204)
      #expect(first["Upload-Offset"] == "1000")
      let head = try await server.tus("HEAD", address)
      #expect(head.status == 200)
      #expect(head["Upload-Offset"] == "1000")
      #expect(head["Upload-Length"] == "\(photo.count)")
      #expect(head["Upload-Metadata"] == metadata)
      #expect(head["Cache-Control"] == "no-store")
      #expect(try await server.request("GET", address).json["state"] as? String == "receiving")
      let last = try await server.tus(
        "PATCH", address, ["Upload-Offset": "1000"], body: Array(photo[1_000...]))
      #expect(last.status == 204)
      #expect(last["Upload-Offset"] == "\(photo.count)")
      let upload = try await server.request("GET", address).json
      #expect(upload["state"] as? String == "finished")
      let attachment = try #require(upload["attachment"] as? [String: Any])
      let id = try #require(attachment["id"] as? String)
      #expect(last["Content-Location"] == "/v1/attachments/\(id)")
      #expect(attachment["name"] as? String == "i.jpg")
      #expect((upload["verdict"] as? [String: Any])?["accepted"] as? Bool == true)
      #expect(try await server.original(id) == photo)
      #expect(try await server.tus("HEAD", address)["Upload-Offset"] == "\(photo.count)")
    }
  }

  @Test("The creation may have the first bytes, and the length may follow later")
  func creationWithUpload() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(3_000)
      let created = try await server.tus(
        "POST", "/v1/uploads", ["Upload-Defer-Length": "1", "Content-Type": "application/offset+octet-stream"],
        body: Array(text[..<1_000]))
      #expect(created.status == 201)
      #expect(created["Upload-Offset"] == "1000")
      let address = try #require(created["Location"])
      #expect(try await server.tus("HEAD", address)["Upload-Defer-Length"] == "1")
      let last = try await server.tus(
        "PATCH", address, ["Upload-Offset": "1000", "Upload-Length": "3000"], body: Array(text[1_000...]))
      #expect(last.status == 204)
      #expect(last["Content-Location"] != nil)
    }
  }

  @Test(
    "A creation states the length once, in digits, and not above the limit",
    arguments: [
      ([:], 400), (["Upload-Length": "5", "Upload-Defer-Length": "1"], 400), (["Upload-Defer-Length": "2"], 400),
      (["Upload-Length": "-5"], 400), (["Upload-Length": "1e9"], 400),
      (["Upload-Length": "9223372036854775808"], 400), (["Upload-Length": "9223372036854775807"], 413),
      (["Upload-Length": "104857601"], 413), (["Upload-Length": "5", "Upload-Metadata": "a b c"], 400),
      (["Upload-Length": "5", "Tus-Resumable": "0.2.2"], 412), (["Upload-Length": "5", "X-Owner": "nobody"], 401),
    ] as [([String: String], Int)])
  func creation(fields: [String: String], status: Int) async throws {
    try await UploadServer.start { server in
      let answer = try await server.tus("POST", "/v1/uploads", fields, body: [])
      #expect(answer.status == status)
      #expect(answer["Location"] == nil)
      if status == 412 { #expect(answer["Tus-Version"] == "1.0.0") }
    }
  }

  @Test(
    "A piece that lies about offset, length or type is refused, and the offset stays",
    arguments: [
      (["Upload-Offset": "5"], 409), (["Upload-Offset": "9223372036854775807"], 409),
      (["Upload-Offset": "9223372036854775808"], 400), (["Upload-Offset": "-1"], 400), ([:], 400),
      (["Upload-Offset": "10", "Content-Type": "image/jpeg"], 415),
      (["Upload-Offset": "10", "Upload-Length": "99"], 400),
      (["Upload-Offset": "10", "X-Owner": "bob"], 404), (["Upload-Offset": "10", "Upload-Checksum": "md5 AAAA"], 400),
      (["Upload-Offset": "10", "Upload-Checksum": "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="], 460),
    ] as [([String: String], Int)])
  func lies(fields: [String: String], status: Int) async throws {
    try await UploadServer.start { server in
      let address = try await server.create(100)
      _ = try await server.tus("PATCH", address, ["Upload-Offset": "0"], body: UploadServer.text(10))
      let answer = try await server.tus("PATCH", address, fields, body: UploadServer.text(20))
      #expect(answer.status == status)
      #expect(answer["Tus-Resumable"] == "1.0.0")
      #expect(try await server.tus("HEAD", address)["Upload-Offset"] == "10")
    }
  }

  @Test("A piece beyond the end of the upload is refused, and the offset stays")
  func beyondTheEnd() async throws {
    try await UploadServer.start { server in
      let address = try await server.create(100)
      let answer = try await server.tus("PATCH", address, ["Upload-Offset": "0"], body: UploadServer.text(101))
      #expect(answer.status == 400)
      #expect(try await server.tus("HEAD", address)["Upload-Offset"] == "0")
    }
  }

  @Test("A piece with the right checksum is kept, in either algorithm")
  func checksums() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(200)
      let (first, second) = (Array(text[..<100]), Array(text[100...]))
      let sha1 = Data(Insecure.SHA1.hash(data: first)).base64EncodedString()
      let sha256 = Data(SHA256.hash(data: second)).base64EncodedString()
      let address = try await server.create(200)
      #expect(
        try await server.tus(
          "PATCH", address, ["Upload-Offset": "0", "Upload-Checksum": "sha1 \(sha1)"], body: first
        ).status == 204)
      #expect(
        try await server.tus(
          "PATCH", address, ["Upload-Offset": "100", "Upload-Checksum": "sha256 \(sha256)"], body: second
        ).status == 204)
    }
  }

  @Test("A deleted upload is gone, also when a proxy allows only POST")
  func deletion() async throws {
    try await UploadServer.start { server in
      let address = try await server.create(100)
      #expect(try await server.tus("POST", address, ["X-HTTP-Method-Override": "DELETE"]).status == 204)
      for method in ["HEAD", "DELETE"] { #expect(try await server.tus(method, address).status == 410) }
      #expect(try server.parts() == [])
    }
  }

  @Test("A request for an upload without Tus-Resumable is refused with the version that is spoken")
  func withoutVersion() async throws {
    try await UploadServer.start { server in
      let address = try await server.create(100)
      let piece = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
      let requests =
        [
          ("HEAD", [:], nil), ("PATCH", piece, UploadServer.text(10)),
          ("POST", piece.merging(["X-HTTP-Method-Override": "PATCH"]) { $1 }, UploadServer.text(10)),
        ] as [(String, [String: String], [UInt8]?)]
      for (method, fields, body) in requests {
        let answer = try await server.request(method, address, fields, body: body)
        #expect(answer.status == 412, "\(method)")
        #expect(answer["Tus-Version"] == "1.0.0", "\(method)")
      }
      #expect(try await server.tus("HEAD", address)["Upload-Offset"] == "0")
      let unknown = "/v1/uploads/\(String(repeating: "0", count: 32))"
      #expect(try await server.request("PATCH", unknown, piece, body: UploadServer.text(10)).status == 404)
    }
  }

  @Test("A DELETE without Tus-Resumable is refused with the version that is spoken, and the upload stays")
  func deletionWithoutVersion() async throws {
    try await UploadServer.start { server in
      let address = try await server.create(100)
      for fields in [[:], ["Upload-Draft-Interop-Version": "6"]] as [[String: String]] {
        let answer = try await server.request("DELETE", address, fields)
        #expect(answer.status == 412)
        #expect(answer["Tus-Version"] == "1.0.0")
      }
      #expect(try await server.tus("HEAD", address).status == 200)
    }
  }

  @Test("A file that is refused by its first bytes gets 415 with the reasons, and its upload is gone")
  func refusal() async throws {
    try await UploadServer.start(serving: { $0.rules.allowedKinds = [.image] }) { server in
      let address = try await server.create(10_000_000)
      let connection = try await RawConnection(port: server.port)
      let head = """
        PATCH \(address) HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r
        Content-Type: application/offset+octet-stream\r\nContent-Length: 10000000\r\n\r\n
        """
      // Far less than announced: the answer does not wait for the rest. It may even end the connection before all of this is sent.
      do { try await connection.send(Array(head.utf8) + UploadServer.text(300_000)) } catch is RawConnection.Failure {}
      let answer = try await connection.readResponse()
      #expect(answer.status == 415)
      let verdict = try #require(answer.json["verdict"] as? [String: Any])
      #expect(verdict["accepted"] as? Bool == false)
      #expect(try await server.tus("HEAD", address).status == 410)
      #expect(try await server.request("GET", address).json["state"] as? String == "refused")
    }
  }

  @Test("TUSKit on iOS 17 and later also sends the fields of the IETF form, and is answered as tus")
  func phone() async throws {
    try await UploadServer.start { server in
      let photo = try UploadServer.photo()
      let more = ["Upload-Complete": "?1", "Upload-Draft-Interop-Version": "6"]
      let created = try await server.request(
        "POST", "/v1/uploads", ["TUS-Resumable": "1.0.0", "Upload-Length": "\(photo.count)"].merging(more) { $1 },
        body: [])
      #expect(created.status == 201)
      let address = try #require(created["Location"])
      let connection = try await RawConnection(port: server.port)
      let head = """
        PATCH \(address) HTTP/1.1\r\nHost: x\r\nTUS-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nUpload-Complete: ?1\r
        Upload-Draft-Interop-Version: 6\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: \(photo.count)\r\n\r\n
        """
      try await connection.send(Array(head.utf8) + photo)
      // No 104 before it.
      let answer = try await connection.readHead()
      #expect(answer.status == 204)
      #expect(answer["Upload-Offset"] == "\(photo.count)")
      #expect(answer["Upload-Complete"] == nil)
    }
  }

  @Test("After a lost connection, HEAD gives the bytes that arrived, and the upload goes on from there")
  func lostConnection() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(500_000)
      let address = try await server.create(text.count)
      let connection = try await RawConnection(port: server.port)
      let head = """
        PATCH \(address) HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r
        Content-Type: application/offset+octet-stream\r\nContent-Length: \(text.count)\r\n\r\n
        """
      try await connection.send(Array(head.utf8) + text[..<200_000])
      // Until the server has begun to take it: otherwise it may come after HEAD.
      while try server.parts().isEmpty { await Task.yield() }
      connection.reset()
      // A reset may drop what the server has not read; what it has is kept.
      let offset = try #require(try await server.tus("HEAD", address)["Upload-Offset"].flatMap { Int($0) })
      #expect(offset <= 200_000)
      let last = try await server.tus(
        "PATCH", address, ["Upload-Offset": "\(offset)"], body: Array(text[offset...]))
      #expect(last.status == 204)
      let id = try #require(last["Content-Location"]?.split(separator: "/").last.map(String.init))
      #expect(try await server.original(id) == text)
    }
  }

  @Test("A request on a dead connection does not hold the upload: the next one ends it and gets its bytes")
  func takeover() async throws {
    try await UploadServer.start { server in
      let text = UploadServer.text(300_000)
      let address = try await server.create(text.count)
      let connection = try await RawConnection(port: server.port)
      let head = """
        PATCH \(address) HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r
        Content-Type: application/offset+octet-stream\r\nContent-Length: \(text.count)\r\n\r\n
        """
      try await connection.send(Array(head.utf8) + text[..<100_000])
      // Until the server has begun to read: the file is there.
      while try server.parts().isEmpty { await Task.yield() }
      let offset = try #require(try await server.tus("HEAD", address)["Upload-Offset"].flatMap { Int($0) })
      #expect(offset <= 100_000)
      _ = try await connection.waitForEnd()
      let last = try await server.tus(
        "PATCH", address, ["Upload-Offset": "\(offset)"], body: Array(text[offset...]))
      #expect(last.status == 204)
    }
  }

}
