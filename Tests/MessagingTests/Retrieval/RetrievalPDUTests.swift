internal import MMSCodec
internal import Messaging
internal import Testing

/// Notifications, answers and acknowledgements as PDUs.
@Suite struct RetrievalPDUTests {
  private func notification(_ change: (inout MMSMessage) -> Void = { _ in }) -> MMSMessage {
    var message = MMSMessage(.notificationInd, transactionID: "T")
    message[.contentLocation] = "http://mmsc/1"
    message[.expiry] = .relative(72)
    change(&message)
    return message
  }

  private func read(_ message: MMSMessage) -> MessageRetrieval.Notification? { .init(message, receivedAt: 100) }

  @Test("R-MMS-48: a notification states the URL, and the expiry relative to its arrival or as a time")
  func notifications() {
    #expect(
      read(notification())
        == .init(transactionID: "T", contentLocation: "http://mmsc/1", receivedAt: 100, expiresAt: 172))
    #expect(read(notification { $0[.expiry] = .absolute(5) })?.expiresAt == 5)
    #expect(read(notification { $0[.expiry] = nil })?.expiresAt == nil)
    #expect(read(notification { $0[.contentLocation] = nil }) == nil)
    #expect(read(notification { $0.transactionID = nil }) == nil)
    #expect(read(notification { $0.version = MMSMessage.Version(major: 2, minor: 0) }) == nil)
    #expect(read(notification { $0.version = MMSMessage.Version(major: 1, minor: 9) }) != nil)
    #expect(read(notification { $0.type = .retrieveConf }) == nil)
  }

  @Test("The meanings of an M-Retrieve.conf")
  func retrieved() {
    var message = MMSMessage(.retrieveConf, transactionID: "R")
    message[.messageID] = "M"
    message[.readReport] = true
    #expect(
      MessageRetrieval.Event(message)
        == .fetched(.init(transactionID: "R", messageID: "M", wantsReadReport: true)))
    message[.retrieveStatus] = .permanentMessageNotFound
    #expect(MessageRetrieval.Event(message) == .fetchFailed(.permanent(.notFound)))
    message[.retrieveStatus] = .transientNetworkProblem
    #expect(MessageRetrieval.Event(message) == .fetchFailed(.transient(.transient)))
    #expect(MessageRetrieval.Event(MMSMessage(.sendConf)) == .fetchFailed(.unrecognized))
    #expect(MessageRetrieval.Event(MMSMessage(.retrieveConf)) == .fetched(.init()))
  }

  private func sent(_ effect: MessageRetrieval.Effect) throws -> MMSMessage {
    let answer = effect.message(to: "+491/TYPE=PLMN")
    let message = try #require(answer)
    #expect(message.missingFields == [])
    return try MMSMessage(decoding: message.encoded())
  }

  @Test("An answer has all mandatory fields, and decodes to the same values")
  func answers() throws {
    let statuses: [(MessageRetrieval.NotifyStatus, MMSMessage.Status)] = [
      (.retrieved, .retrieved), (.rejected, .rejected), (.deferred, .deferred), (.unrecognized, .unrecognised),
    ]
    for (status, onTheWire) in statuses {
      let response = try sent(.notifyResponse(status, transactionID: "T", reportAllowed: false))
      #expect(response.type == .notifyRespInd)
      #expect(response.transactionID == "T")
      #expect(response[.status] == onTheWire)
      #expect(response[.reportAllowed] == false)
    }
    let acknowledgement = try sent(.acknowledge(transactionID: "R", reportAllowed: true))
    #expect(acknowledgement.type == .acknowledgeInd)
    #expect(acknowledgement.transactionID == "R")
    let report = try sent(.readReport(messageID: "M", wasRead: false))
    #expect(report[.messageID] == "M")
    #expect(report[.readStatus] == .deletedUnread)
    #expect(report[.to]?.text == "+491/TYPE=PLMN")
    #expect(MessageRetrieval.Effect.readReport(messageID: "M", wasRead: true).message() == nil)
    #expect(MessageRetrieval.Effect.cancelFetch.message() == nil)
  }
}
