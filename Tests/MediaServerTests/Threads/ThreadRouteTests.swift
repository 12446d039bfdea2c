internal import Foundation
internal import HTTPTypes
internal import MediaService
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite("Routes of threads and messages") struct ThreadRouteTests {
  private static let type = "application/vnd.wap.mms-message"

  /// Saves a draft with a photo in a new thread.
  /// - Returns: The path of the thread.
  private func draft(_ server: TestServer) async throws -> String {
    let fields = ["Content-Type": "image/jpeg"]
    let photo = try await server.request(
      "POST", "/v1/attachments", fields, body: try Fixture.bytes("camera-roll/IMG_0001.jpg"))
    let id = try #require(photo.json["id"] as? String)
    let draft = "{\"to\":[\"+49301234567\"],\"content\":[{\"text\":\"Look\"},{\"attachment\":\"\(id)\"}]}"
    let made = try await server.request(
      "POST", "/v1/threads", ["Content-Type": "application/json"], body: Array(draft.utf8))
    #expect(made.status == 201)
    return try #require(made["Location"])
  }

  @Test("a message is sent by its client: draft, commit, the carrier's answer; its file has ranges and entity tags")
  func sending() async throws {
    try await TestServer.start { server in
      let thread = try await draft(server)
      let key = ["Idempotency-Key": "commit-1"]
      let commit = try await server.request("POST", "\(thread)/draft/commit", key, body: [])
      #expect(commit.status == 201)
      let again = try await server.request("POST", "\(thread)/draft/commit", key, body: [])
      #expect(again.status == 201)
      #expect(again["Location"] == commit["Location"])
      let requests = try #require(commit.json["requests"] as? [[String: Any]])
      let pdu = try #require((requests.first?["pdu"] as? String).flatMap { Data(base64Encoded: $0) })
      #expect(pdu.first == 0x8C)
      let repeated = try #require(again.json["requests"] as? [[String: Any]])
      #expect((repeated.first?["pdu"] as? String).flatMap { Data(base64Encoded: $0) } == pdu)
      let message = try #require(commit["Location"])

      let part = try await server.request("GET", "\(message)/parts/1")
      #expect(part.status == 200)
      #expect(part["Content-Type"] == "image/jpeg")
      #expect(part["X-Content-Type-Options"] == "nosniff")
      #expect(part["Cache-Control"] == "private, no-cache")
      let tag = try #require(part["ETag"])
      let range = try await server.request("GET", "\(message)/parts/1", ["Range": "bytes=0-1"])
      #expect(range.status == 206)
      #expect(range.body == [0xFF, 0xD8])
      #expect(try await server.request("GET", "\(message)/parts/1", ["If-None-Match": tag]).status == 304)
      let image = try await server.request("GET", "\(message)/parts/1/renditions/grid.webp")
      #expect(image["Content-Type"] == "image/webp")
      for path in ["parts/2", "parts/01", "parts/x", "parts/1/renditions/65.webp", "parts/1?e=1&g=1&k=k1&s=AA"] {
        let status = try await server.request("GET", "\(message)/\(path)").status
        #expect([403, 404].contains(status), "\(path)")
      }

      // A repetition has the message as it is now: the carrier has it, so nothing is to be sent.
      let transaction = try #require(requests.first?["transactionID"] as? String)
      let answer: [UInt8] = [0x8C, 0x81, 0x98] + Array(transaction.utf8) + [0, 0x8D, 0x92, 0x92, 0x80]
      let stored = try await server.request("POST", "/v1/messages", ["Content-Type": Self.type], body: answer)
      #expect(stored.status == 200)
      let later = try await server.request("POST", "\(thread)/draft/commit", key, body: [])
      #expect((later.json["requests"] as? [Any])?.isEmpty == true)
      #expect((later.json["message"] as? [String: Any])?["state"] as? String == "sent")

      // The PDU is not kept with the key once the message is deleted.
      #expect(try await server.request("DELETE", message).status == 204)
      #expect(try await server.request("GET", message).status == 404)
      #expect(try await server.request("POST", "\(thread)/draft/commit", key, body: []).status == 404)
    }
  }

  @Test("only PDUs are received, up to 8 MiB, and the answer has ids alone") func receiving() async throws {
    try await TestServer.start { server in
      let octets = NotificationPDU.octets()
      let fields = ["Content-Type": Self.type]
      let received = try await server.request("POST", "/v1/messages", fields, body: octets)
      #expect(received.status == 201)
      #expect(Set(received.json.keys) == ["id", "thread", "answers"])
      #expect(received["Location"] == "/v1/messages/m1")
      #expect(try await server.request("POST", "/v1/messages", fields, body: [1, 2]).status == 422)
      #expect(try await server.request("POST", "/v1/messages", [:], body: octets).status == 415)
      let large = try await server.connect()
      defer { large.close() }
      let head = "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.type)\r\n"
      try await large.send(head + "Content-Length: 8388609\r\n\r\n")
      #expect(try await large.readHead().status == 413)
      let page = try await server.request("GET", "/v1/threads?limit=1")
      #expect((page.json["threads"] as? [[String: Any]])?.count == 1)
      #expect(page.json["lastEvent"] is String)
      #expect(page.json["totalUnread"] as? Int == 1)
      #expect(try await server.request("GET", "/v1/threads?limit=0").status == 400)
      #expect(try await server.request("GET", "/v1/messages?q=nothing").status == 200)
    }
  }

  @Test("another body of the same length with a used idempotency key is refused, and nothing of it is stored")
  func reusedKey() async throws {
    try await TestServer.start { server in
      let fields = ["Content-Type": Self.type, "Idempotency-Key": "k"]
      #expect(try await server.request("POST", "/v1/messages", fields, body: NotificationPDU.octets(1)).status == 201)
      let other = try await server.request("POST", "/v1/messages", fields, body: NotificationPDU.octets(2))
      #expect(other.status == 422)
      #expect(other.json["code"] as? String == "refused")
      #expect((try await server.request("GET", "/v1/threads").json["threads"] as? [Any])?.count == 1)

      let thread = try await draft(server)
      let key = ["Content-Type": "application/json", "Idempotency-Key": "\"commit\""]
      func commit(_ body: String) async throws -> Int {
        try await server.request("POST", "\(thread)/draft/commit", key, body: Array(body.utf8)).status
      }
      #expect(try await commit("{\"cut\":false}") == 201)
      #expect(try await commit("{\"cut\": true}") == 422)
      #expect(try await commit("{\"cut\":false}") == 201)
    }
  }

  @Test("an answer whose response was lost is read again, and leaves when it is confirmed") func answers()
    async throws
  {
    try await TestServer.start { server in
      let fields = ["Content-Type": Self.type, "Idempotency-Key": "download-1"]
      let received = try await server.request("POST", "/v1/messages", fields, body: NotificationPDU.download())
      #expect(received.status == 201)
      let thread = try #require(received.json["thread"] as? String)
      func ids(_ answers: Any?) -> [String] { (answers as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }
      #expect(ids(received.json["answers"]).count == 1)
      // Of this response nothing arrives.
      let lost = try await server.request("POST", "/v1/threads/\(thread)/read", body: [])
      let answers = try await server.request("GET", "/v1/messages/answers")
      #expect(answers.json["answers"] as? [[String: String]] == lost.json["answers"] as? [[String: String]])
      let all = ids(answers.json["answers"])
      #expect(all.count == 2)
      // A repetition has what is to be sent now.
      let again = try await server.request("POST", "/v1/messages", fields, body: NotificationPDU.download())
      #expect(again.status == 201)
      #expect(again["Location"] == received["Location"])
      #expect(ids(again.json["answers"]) == all)
      for id in all {
        #expect(try await server.request("DELETE", "/v1/messages/answers/\(id)").status == 204)
        #expect(try await server.request("DELETE", "/v1/messages/answers/\(id)").status == 404)
      }
      let message = try #require(received["Location"])
      #expect(try await server.request("DELETE", message).status == 204)
      let last = try await server.request("POST", "/v1/messages", fields, body: NotificationPDU.download())
      #expect(last.status == 201)
      #expect(Set(last.json.keys) == ["answers"])
      #expect(ids(last.json["answers"]).isEmpty)
      #expect(try await server.request("GET", "/v1/messages/answers").json["answers"] as? [String] == [])
    }
  }
}
