internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import Messaging
internal import Testing

@testable internal import MessageStore

extension StoredSendingTests {
  @Test("reports are requested as the settings say, and reach each recipient's row")
  func reports() async throws {
    let test = try TestStore()
    let network = FakeNetwork()
    try test.store.changeSettings {
      $0.requestsMMSDeliveryReports = true
      $0.requestsReadReports = true
      $0.requestsSMSDeliveryReports = true
    }
    let mms = try test.store.send(
      Sample.picture(to: Sample.ann, Sample.ben), files: ["photo": try test.file("bytes")])
    let sms = try test.store.send(Sample.text("hello", to: Sample.ann))
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(network.pdus.first?[.deliveryReport] == true)
    #expect(network.pdus.first?[.readReport] == true)
    #expect(network.requests.contains(.sms(text: "hello", to: Sample.ann, requestsDeliveryReport: true)))

    #expect(try test.store.receive(try OperatorPDU.delivery("id-1", to: Sample.ben)) == mms)
    #expect(try test.store.receive(try OperatorPDU.reading("id-1", from: Sample.ann)) == mms)
    #expect(try test.store.receive(.retrieved, ofSMS: "2", from: Sample.ann) == sms)
    #expect(try test.store.receive(try OperatorPDU.delivery("other", to: Sample.ben)) == nil)
    let recipients = try #require(try test.store.message(mms).sending?.recipients)
    #expect(recipients.map(\.delivery) == [.pending, .success])
    #expect(recipients.map(\.reading) == [.read, .pending])
    #expect(try test.store.message(sms).sending?.isDelivered == true)
    let rows = try test.store.read { db in
      try String.fetchAll(
        db, sql: "SELECT delivery FROM recipient WHERE message = ? ORDER BY position", arguments: [mms.rawValue])
    }
    #expect(rows == ["pending", "success"])
  }

  @Test("a report finds the SMS to its recipient that was given the reference last, whatever its age")
  func references() async throws {
    /// Gives every SMS the same reference.
    struct SameReference: MessageOutbox.Network {
      func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer { .sms(reference: "7") }
      func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] { [] }
    }
    let test = try TestStore()
    try test.store.changeSettings { $0.requestsSMSDeliveryReports = true }
    let failing = FakeNetwork()
    failing.fail(MessageOutbox.Failure.permanent(.refused))
    let old = try test.store.send(Sample.text("old", to: Sample.ann))
    try await MessageOutbox(test.store, network: failing).runDue()
    let outbox = MessageOutbox(test.store, network: SameReference())
    let new = try test.store.send(Sample.text("new", to: Sample.ann))
    let other = try test.store.send(Sample.text("other", to: Sample.ben))
    try await outbox.runDue()
    // The old one is sent again, and is the last to be given the reference.
    try test.store.resend(old)
    try await outbox.runDue()
    #expect(try test.store.receive(.retrieved, ofSMS: "7", from: "5557654321") == other)
    #expect(try test.store.receive(.retrieved, ofSMS: "7", from: Sample.ann) == old)
    #expect(try test.store.receive(.retrieved, ofSMS: "7", from: "+15550009999") == nil)
    #expect(try test.store.message(old).sending?.isDelivered == true)
    #expect(try test.store.message(new).sending?.isDelivered == false)
    try test.store.delete(old)
    #expect(try test.store.receive(.retrieved, ofSMS: "7", from: Sample.ann) == nil)
    #expect(try test.store.verify().isEmpty)
  }
}
