internal import MMSCodec
internal import Messaging
internal import Testing

/// The carrier's answers and reports as events.
@Suite struct SendingPDUTests {
  private typealias Event = MessageSending.Event

  @Test("M-Send.conf: accepted with or without a Message-ID, refused by its status, or without one")
  func confirmations() {
    var message = MMSMessage(.sendConf, transactionID: "m-1")
    message[.responseStatus] = .ok
    #expect(Event(message) == .accepted(transactionID: "m-1", messageID: nil))
    message[.messageID] = "M"
    #expect(Event(message) == .accepted(transactionID: "m-1", messageID: "M"))
    message[.responseStatus] = .transientNetworkProblem
    #expect(Event(message) == .requestFailed(transactionID: "m-1", .transient(.transient)))
    message[.responseStatus] = nil
    #expect(Event(message) == .requestFailed(transactionID: "m-1", .permanent(.refused)))
    message.transactionID = nil
    #expect(Event(message) == nil)
    #expect(Event(MMSMessage(.sendReq)) == nil)
  }

  @Test("Delivery and read reports name the recipient")
  func reports() {
    var delivery = MMSMessage(.deliveryInd)
    delivery[.to] = "1/TYPE=PLMN"
    #expect(Event(delivery) == nil)
    delivery[.status] = .retrieved
    #expect(Event(delivery) == .deliveryReport(address: "1/TYPE=PLMN", .retrieved))
    delivery[.status] = MMSMessage.Status(rawValue: 0xB0)
    #expect(Event(delivery) == .deliveryReport(address: "1/TYPE=PLMN", .indeterminate))
    var reading = MMSMessage(.readOrigInd)
    reading[.readStatus] = .deletedUnread
    #expect(Event(reading) == nil)
    reading[.from] = .address("1/TYPE=PLMN")
    #expect(Event(reading) == .readReport(address: "1/TYPE=PLMN", wasRead: false))
  }
}
