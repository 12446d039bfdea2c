internal import Foundation
internal import RawHTTP
internal import Testing

extension OpenAPIWalk {
  /// Threads, their drafts, and messages.
  func threads(_ photo: String) async throws {
    let content = "[{\"text\":\"Look\"},{\"attachment\":\"\(photo)\",\"altText\":\"A\"}]"
    let made = try await send(
      "POST", "/v1/threads", json: "{\"to\":[\"+49301234567\"],\"subject\":\"Hi\",\"content\":\(content)}")
    let thread = try #require(made["Location"])
    try await send("POST", "/v1/threads", json: "{\"content\":[]}")
    try await send("GET", thread)
    try await send("GET", "/v1/threads?limit=1")
    try await send("GET", "/v1/threads?before=x")
    try await send("GET", "\(thread)/draft")
    try await send("PUT", "\(thread)/draft", json: "{\"to\":[\"nobody\"],\"content\":\(content)}")
    try await send("POST", "\(thread)/draft/commit", json: "{\"profile\":\"mms-300k\"}")
    try await send("PUT", "\(thread)/draft", json: "{\"content\":\(content)}")
    let sent = try await send(
      "POST", "\(thread)/draft/commit", json: "{}", ["Idempotency-Key": "commit"])
    let message = try #require(sent["Location"], "\(sent.text)")
    let requests = try #require(sent.json["requests"] as? [[String: Any]])
    let transaction = try #require(requests.first?["transactionID"] as? String)
    try await send("GET", message)
    try await send("GET", "\(message)/modules")
    try await send("GET", "\(message)/requests")
    try await parts(of: message)
    let outcome = "{\"transactionID\":\"\(transaction)\",\"outcome\":\"temporaryFailure\"}"
    try await send("POST", "\(message)/outcome", json: outcome)
    try await send("POST", "\(message)/outcome", json: "{\"transactionID\":\"x\",\"outcome\":\"x\"}")
    try await send("GET", "\(thread)/messages?limit=10")
    try await send("GET", "/v1/threads/99/messages")
    try await send("POST", "\(thread)/read")
    try await send("GET", "/v1/messages?q=look&limit=1")
    try await received(thread)
    try await sms(thread)
    try await send("PUT", "\(thread)/draft", json: "{\"content\":[{\"text\":\"again\"}]}")
    try await send("DELETE", "\(thread)/draft")
    try await send("DELETE", thread)
    try await send("DELETE", thread)
    try await stream("/v1/messages/events", after: "")
  }

  /// Settings, an SMS that is refused and sent again, its report, and a received SMS.
  private func sms(_ thread: String) async throws {
    try await send("GET", "/v1/messages/settings")
    try await send("PATCH", "/v1/messages/settings", json: "{\"requestsSMSDeliveryReports\":true}")
    try await send("PATCH", "/v1/messages/settings", json: "{\"retrievalMode\":\"sometimes\"}")
    try await send("PUT", "\(thread)/draft", json: "{\"content\":[{\"text\":\"again\"}]}")
    let sent = try await send("POST", "\(thread)/draft/commit", json: "{}")
    let message = try #require(sent["Location"], "\(sent.text)")
    try await send("POST", "\(message)/resend")
    func outcome(_ answer: RawResponse, _ outcome: String) async throws {
      let requests = try #require(answer.json["requests"] as? [[String: Any]], "\(answer.text)")
      let transaction = try #require(requests.first?["transactionID"] as? String)
      try await send(
        "POST", "\(message)/outcome",
        json: "{\"transactionID\":\"\(transaction)\",\"outcome\":\"\(outcome)\",\"reference\":\"7\"}")
    }
    try await outcome(sent, "refused")
    try await outcome(try await send("POST", "\(message)/resend"), "accepted")
    for reference in ["7", "8"] {
      let report = "{\"reference\":\"\(reference)\",\"to\":\"+49301234567\",\"status\":\"delivered\"}"
      try await send("POST", "/v1/messages/sms/reports", json: report)
    }
    for number in [1, 2, 3] {
      let segment = "{\"reference\":7,\"number\":\(number),\"count\":2}"
      let text = "{\"from\":\"+49301234567\",\"text\":\"part\",\"time\":1777600000,\"segment\":\(segment)}"
      try await send("POST", "/v1/messages/sms", json: text)
    }
    for time in [1_777_600_000, -1] {
      let received = "{\"from\":\"+49301234567\",\"text\":\"Hello\",\"time\":\(time)}"
      let stored = try await send("POST", "/v1/messages/sms", json: received)
      guard let address = stored["Location"] else { continue }
      try await send("DELETE", address)
      try await send("POST", "/v1/messages/sms", json: received)
    }
  }

  private func parts(of message: String) async throws {
    for target in ["\(message)/parts/1", "\(message)/parts/1/renditions/64", "\(message)/parts/1/renditions/64.png"] {
      let answer = try await send("GET", target, ["Accept": "image/webp"])
      try await send("HEAD", target)
      try await send("GET", target, ["Range": "bytes=0-9"])
      try await send("GET", target, ["Range": "bytes=999999999-"])
      if let tag = answer["ETag"] { try await send("GET", target, ["If-None-Match": tag]) }
      try await send("GET", target, ["If-Match": "\"other\""])
    }
    try await send("GET", "\(message)/parts/64")
    try await send("GET", "\(message)/parts/1/renditions/64.avif")
  }

  private func received(_ thread: String) async throws {
    let type = ["Content-Type": "application/vnd.wap.mms-message"]
    let notice = try await send("POST", "/v1/messages", type, body: NotificationPDU.octets())
    let address = try #require(notice["Location"], "\(notice.text)")
    try await send("GET", address)
    let waiting = try await send("GET", "/v1/messages/answers")
    let answers = try #require(waiting.json["answers"] as? [[String: Any]])
    let id = try #require(answers.first?["id"] as? String)
    try await send("DELETE", "/v1/messages/answers/\(id)")
    try await send("DELETE", address)
    try await send("POST", "/v1/messages", type, body: [1, 2, 3])
    try await send("POST", "/v1/messages", ["Content-Type": "text/plain"], body: [1, 2, 3])
    // No request waits for this answer.
    let answer: [UInt8] = [0x8C, 0x81, 0x98] + Array("x".utf8) + [0, 0x8D, 0x92, 0x92, 0x80]
    try await send("POST", "/v1/messages", type, body: answer)
  }
}
