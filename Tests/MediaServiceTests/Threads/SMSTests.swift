internal import Foundation
internal import MMSCodec
internal import MessageStore
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("SMS and settings of the service") struct SMSTests {
  private let anna = Caller(owner: "anna")
  private let bert = Caller(owner: "bert")

  /// Commits a draft with a text for a new thread.
  private func send(_ text: String, _ service: MediaService) async throws -> MediaService.CommittedMessage {
    let draft = "{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"text\":\"\(text)\"}]}"
    let made = try await service.createThread(
      try JSONDecoder().decode(MediaService.ThreadDraft.self, from: Data(draft.utf8)), of: anna)
    return try await service.commitDraft(ofThread: made.thread, .init(), of: anna)
  }

  @Test("settings are each owner's own, keep what a change does not name, and survive a restart (R-MMS-55, R-MMS-58)")
  func settings() async throws {
    let fixture = try await ServiceFixture()
    #expect(try await fixture.service.messageSettings(for: anna) == MessageSettings())
    var change = MediaService.MessageSettingsChange()
    change.retrievalMode = .automaticHome
    _ = try await fixture.service.changeMessageSettings(change, for: anna)
    change = MediaService.MessageSettingsChange()
    change.sendsReadReports = false
    _ = try await fixture.service.changeMessageSettings(change, for: anna)
    try await fixture.service.close()
    let service = try await ServiceFixture(in: fixture.folder).service
    let settings = try await service.messageSettings(for: anna)
    #expect(settings.retrievalMode == .automaticHome)
    #expect(!settings.sendsReadReports)
    #expect(settings.requestsReadReports)
    #expect(try await service.messageSettings(for: bert) == MessageSettings())
    let reader = Caller(owner: "anna", scope: .read)
    #expect(await code { _ = try await service.changeMessageSettings(change, for: reader) } == "forbidden")
    // The mode is that of notifications from now on: this one is not answered as deferred, it is to be downloaded.
    let received = try await service.receiveMessage(try Carrier.notification(), for: anna)
    #expect(received.message?.state == "pending")
  }

  @Test("a request of an SMS states whether a report is wanted, and the report is stored for its recipient (R-MMS-55)")
  func reports() async throws {
    let service = try await ServiceFixture().service
    #expect(try await send("one", service).requests.map(\.requestsDeliveryReport) == [false])
    var change = MediaService.MessageSettingsChange()
    change.requestsSMSDeliveryReports = true
    _ = try await service.changeMessageSettings(change, for: anna)
    let sent = try await send("two", service)
    #expect(sent.requests.map(\.requestsDeliveryReport) == [true])
    let transaction = try #require(sent.requests.first?.transactionID)
    _ = try await service.finish(transaction, of: sent.message.id, with: .accepted(reference: "7"), for: anna)
    let reported = try await service.receive(.delivered, ofSMS: "7", to: Carrier.ann, for: anna)
    #expect(reported.id == sent.message.id)
    #expect(reported.recipients?.map(\.delivery) == [.success])
    for (reference, to) in [("8", Carrier.ann), ("7", "+15550009999")] {
      #expect(
        await code { _ = try await service.receive(.delivered, ofSMS: reference, to: to, for: anna) } == "notFound")
    }
    #expect(
      await code { _ = try await service.receive(.delivered, ofSMS: "7", to: Carrier.ann, for: bert) } == "notFound")
  }

  @Test("a failed message is sent again with a new transaction, and one that is sent or received is not (R-MMS-40)")
  func resending() async throws {
    let service = try await ServiceFixture().service
    let sent = try await send("hello", service)
    let first = try #require(sent.requests.first?.transactionID)
    #expect(await code { _ = try await service.resendMessage(sent.message.id, for: anna) } == "refused")
    _ = try await service.finish(first, of: sent.message.id, with: .refused, for: anna)
    #expect(await code { _ = try await service.resendMessage(sent.message.id, for: bert) } == "notFound")
    let again = try await service.resendMessage(sent.message.id, for: anna)
    #expect(again.message.state == "sending")
    #expect(again.requests.count == 1)
    let second = try #require(again.requests.first?.transactionID)
    #expect(second != first)
    _ = try await service.finish(second, of: sent.message.id, with: .accepted(reference: nil), for: anna)
    #expect(await code { _ = try await service.resendMessage(sent.message.id, for: anna) } == "refused")
    let sms = try #require(
      try await service.receiveSMS(.init(from: Carrier.ann, text: "hi", time: 900), for: anna))
    #expect(await code { _ = try await service.resendMessage(sms.id, for: anna) } == "notFound")
  }

  @Test("a received SMS is one message however often it is stored, also at the quota, and does not come back")
  func received() async throws {
    let fixture = try await ServiceFixture { $0.limits.messages = 1 }
    let service = fixture.service
    let sms = MediaService.ReceivedSMS(from: Carrier.ann, text: "Look at the lake", time: 900)
    let stored = try #require(try await service.receiveSMS(sms, for: anna))
    #expect(stored.from == Carrier.ann)
    #expect(stored.time == 900)
    #expect(stored.type == .sms)
    #expect(stored.unread)
    #expect(try await service.receiveSMS(sms, for: anna)?.id == stored.id)
    #expect(try await service.findMessages("lake", of: anna).messages.map(\.id) == [stored.id])
    #expect(try await service.threads(for: bert).threads.isEmpty)
    let other = MediaService.ReceivedSMS(from: Carrier.ann, text: "Look", time: 900)
    #expect(await code { _ = try await service.receiveSMS(other, for: anna) } == "quotaExceeded")
    try await service.deleteMessage(stored.id, of: anna)
    #expect(try await service.receiveSMS(sms, for: anna) == nil)
  }

  @Test("an SMS without a sender, with a time that is no date, or with a text of more than 64 KiB is refused")
  func invalid() async throws {
    let service = try await ServiceFixture().service
    for (from, text, time, reason) in [
      ("", "x", 900, "invalidRequest"), (String(repeating: "1", count: 1_025), "x", 900, "invalidRequest"),
      (Carrier.ann, "x", -1, "invalidRequest"), (Carrier.ann, "x", Int.max, "invalidRequest"),
      (Carrier.ann, String(repeating: "x", count: 65_537), 900, "tooLarge"),
    ] {
      #expect(
        await code { _ = try await service.receiveSMS(.init(from: from, text: text, time: time), for: anna) } == reason)
    }
    #expect(try await service.threads(for: anna).threads.isEmpty)
  }
}
