internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite("Routes of SMS and of settings for messages") struct SMSRouteTests {
  private func post(_ server: TestServer, _ path: String, _ json: String) async throws -> RawResponse {
    try await server.request("POST", path, ["Content-Type": "application/json"], body: Array(json.utf8))
  }

  @Test("a failed SMS is sent again, its report is stored, and the answer to it arrives in the thread")
  func failedMessage() async throws {
    try await TestServer.start { server in
      let fields = ["Content-Type": "application/json"]
      let change = Array("{\"requestsSMSDeliveryReports\":true}".utf8)
      let settings = try await server.request("PATCH", "/v1/messages/settings", fields, body: change)
      #expect(settings.json["requestsSMSDeliveryReports"] as? Bool == true)
      let stored = try await server.request("GET", "/v1/messages/settings")
      #expect(stored.json["retrievalMode"] as? String == "manual")
      #expect(stored.json["requestsSMSDeliveryReports"] as? Bool == true)

      let draft = "{\"to\":[\"+49301234567\"],\"content\":[{\"text\":\"Look\"}]}"
      let thread = try #require(try await post(server, "/v1/threads", draft)["Location"])
      let sent = try await post(server, "\(thread)/draft/commit", "{}")
      let message = try #require(sent["Location"])
      func finish(_ answer: RawResponse, _ outcome: String) async throws -> RawResponse {
        let request = try #require((answer.json["requests"] as? [[String: Any]])?.first, "\(answer.text)")
        #expect(request["deliveryReport"] as? Bool == true)
        let transaction = try #require(request["transactionID"] as? String)
        return try await post(
          server, "\(message)/outcome",
          "{\"transactionID\":\"\(transaction)\",\"outcome\":\"\(outcome)\",\"reference\":\"7\"}")
      }
      #expect(try await server.request("POST", "\(message)/resend", body: []).status == 422)
      #expect(try await finish(sent, "refused").json["state"] as? String == "failed")
      let again = try await server.request("POST", "\(message)/resend", body: [])
      #expect(again.status == 200)
      #expect(try await finish(again, "accepted").json["state"] as? String == "sent")
      let report = "{\"reference\":\"7\",\"to\":\"+49301234567\",\"status\":\"delivered\"}"
      #expect(try await post(server, "/v1/messages/sms/reports", report).status == 200)
      let recipients = try await server.request("GET", message).json["recipients"] as? [[String: Any]]
      #expect(recipients?.first?["delivery"] as? String == "success")

      let sms = "{\"from\":\"+49301234567\",\"text\":\"Lovely\",\"time\":1777600000}"
      let received = try await post(server, "/v1/messages/sms", sms)
      #expect(received.status == 201)
      #expect(received.json["thread"] as? String == thread.split(separator: "/").last.map(String.init))
      let address = try #require(received["Location"])
      #expect(try await post(server, "/v1/messages/sms", sms)["Location"] == address)
      #expect(try await server.request("DELETE", address).status == 204)
      #expect(try await post(server, "/v1/messages/sms", sms).status == 204)
    }
  }

  @Test("segments are one message when the last one is there, with a character that was divided between two of them")
  func segments() async throws {
    try await TestServer.start { server in
      func send(_ number: Int, _ text: String) async throws -> RawResponse {
        let segment = "{\"reference\":7,\"number\":\(number),\"count\":3}"
        let body = "{\"from\":\"+49301234567\",\"time\":1777600000,\(text),\"segment\":\(segment)}"
        return try await post(server, "/v1/messages/sms", body)
      }
      // U+1F600 is D83D DE00.
      #expect(try await send(3, "\"ucs2\":\"3gAAIQ==\"").status == 202)
      for _ in 0..<2 { #expect(try await send(1, "\"text\":\"Look \"").status == 202) }
      let whole = try await send(2, "\"ucs2\":\"2D0=\"")
      #expect(whole.status == 201)
      let message = try #require(whole["Location"])
      let modules = try await server.request("GET", message).json["modules"] as? [[String: Any]]
      #expect(modules?.first?["text"] as? String == "Look 😀!")
      #expect(try await send(1, "\"text\":\"Look \"")["Location"] == message)
      for wrong in ["\"text\":\"x\",\"ucs2\":\"2D0=\"", "\"ucs2\":\"2A==\"", "\"x\":1"] {
        #expect(try await send(1, wrong).status == 400, "\(wrong)")
      }
      #expect(try await send(4, "\"text\":\"x\"").status == 400)
    }
  }
}
