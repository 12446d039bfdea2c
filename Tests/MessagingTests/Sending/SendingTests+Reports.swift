internal import MMSCodec
internal import TestSupport
internal import Testing

@testable internal import Messaging

extension SendingTests {
  @Test(
    "R-MMS-55: delivered and read only when every recipient has reported; only success and refusal are reported (A39, A45)"
  )
  func reports() {
    var message = SendingTableTests.message(in: .sent)
    func report(_ address: String, _ status: MessageSending.DeliveryStatus) -> [String] {
      names(message.handle(.deliveryReport(address: address, status), at: 200))
    }
    #expect(report("111111", .deferred) == [])
    #expect(report("111111", .rejected) == ["delivery:rejected"])
    #expect(report("111111", .retrieved) == ["delivery:success"])
    #expect(report("111111", .expired) == [])
    #expect(!message.isDelivered)
    #expect(report("222222", .retrieved) == ["delivery:success"])
    #expect(report("222222", .retrieved) == [])
    #expect(message.isDelivered)
    #expect(report("333333", .retrieved) == [])
    #expect(!message.isRead)
    _ = message.handle(.readReport(address: "111111", wasRead: false), at: 200)
    #expect(message.recipients[0].reading == .deletedUnread)
    for address in ["111111", "222222"] { _ = message.handle(.readReport(address: address, wasRead: true), at: 200) }
    #expect(message.isRead)
    #expect(message.handle(.readReport(address: "111111", wasRead: false), at: 200) == [])
  }

  @Test("A carrier may write a number in its own form (A34)")
  func otherForm() {
    var message = message(.mms, to: ["030 1234567"]) { $0.requestsDeliveryReport = true }
    _ = message.handle(.send(.init()), at: 0)
    _ = message.handle(.accepted(transactionID: "m-1", messageID: "M"), at: 0)
    #expect(
      message.handle(.deliveryReport(address: "+49301234567/TYPE=PLMN", .retrieved), at: 1)
        == [.delivery(address: "030 1234567", .success)])
  }

  @Test("An SMS has no read reports, and reports that were not requested are not awaited")
  func noReports() {
    let sms = message(.sms, to: ["1"]) {
      $0.requestsReadReport = true
      $0.requestsDeliveryReport = true
    }
    #expect(sms.recipients.first?.reading == .notRequested)
    #expect(sms.recipients.first?.delivery == .pending)
    #expect(message(.mms, to: ["1"]).recipients.first?.delivery == .notRequested)
  }

  @Test("R-MMS-55: what is sent requests the reports that the settings say, and waits for those and no others")
  func settings() throws {
    let profile = CarrierProfile()
    for bits in 0..<8 {
      var settings = MessageSettings()
      settings.requestsMMSDeliveryReports = bits & 1 != 0
      settings.requestsSMSDeliveryReports = bits & 2 != 0
      settings.requestsReadReports = bits & 4 != 0

      var mms = MessageComposition.text("a", to: "12345", "a@b.de")
      var sending = MessageSending(mms, id: "m", under: profile, settings: settings)
      guard case .submit(let request)? = sending.handle(.send(.init()), at: 0).first else {
        Issue.record("nothing is submitted")
        return
      }
      #expect(request.addresses == ["12345", "a@b.de"])
      let octets = try mms.sendRequest(MessageComposition.SendOptions(request, date: 0)) { _ in [] }.encoded()
      let sent = try MMSMessage(decoding: octets)
      #expect(sent[.deliveryReport] == settings.requestsMMSDeliveryReports)
      #expect(sent[.readReport] == settings.requestsReadReports)
      #expect(
        sending.recipients.allSatisfy {
          $0.delivery == (settings.requestsMMSDeliveryReports ? .pending : .notRequested)
            && $0.reading == (settings.requestsReadReports ? .pending : .notRequested)
        })

      _ = mms.setRecipients([MessageRecipient("12345")], under: profile)
      var sms = MessageSending(mms, id: "s", under: profile, settings: settings)
      #expect(sms.type == .sms)
      guard case .submit(let short)? = sms.handle(.send(.init()), at: 0).first else {
        Issue.record("nothing is submitted")
        return
      }
      #expect(short.requestsDeliveryReport == settings.requestsSMSDeliveryReports)
      #expect(!short.requestsReadReport)
      #expect(sms.recipients.first?.delivery == (settings.requestsSMSDeliveryReports ? .pending : .notRequested))
    }
  }

  @Test("The meanings of delivery statuses are those of A45", arguments: MessageSending.DeliveryStatus.allCases)
  func deliveryStatus(status: MessageSending.DeliveryStatus) {
    let meanings: [MessageSending.DeliveryStatus: MessageSending.Delivery] = [
      .retrieved: .success, .expired: .rejected, .rejected: .rejected, .unrecognized: .rejected,
      .unreachable: .rejected,
      .deferred: .pending, .forwarded: .pending, .indeterminate: .notRequested,
    ]
    #expect(status.delivery == meanings[status])
  }
}
