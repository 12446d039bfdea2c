internal import MMSCodec
internal import TestSupport
internal import Testing

@testable internal import Messaging

/// What a table of cells does not show.
@Suite struct SendingTests {
  func message(
    _ type: MessageType, to addresses: [String], _ change: (inout MessageSending.Policy) -> Void = { _ in }
  ) -> MessageSending {
    var policy = MessageSending.Policy()
    change(&policy)
    return MessageSending(id: "m", type: type, to: addresses, policy: policy)
  }

  func names(_ effects: [MessageSending.Effect]) -> [String] { effects.map(SendingTableTests.name) }

  @Test("R-MMS-39: without service a message waits without limit, over any number of restarts, and is then sent")
  func waitsForService() throws {
    var message = message(.sms, to: ["1"])
    #expect(message.handle(.send(SendingTableTests.noService), at: 0) == [])
    for time in stride(from: 0.0, to: 1e9, by: 1e7) {
      message = try JSON.roundTrip(message)
      #expect(names(message.handle(.restored, at: time)) == ["submit:m-1-0:1"])
      #expect(message.handle(.requestFailed(transactionID: "m-1-0", .transient(.noSignal)), at: time) == [])
      #expect(message.state == .waiting)
      #expect(message.error == .noSignal)
    }
    _ = message.handle(.serviceAvailable, at: 1e9)
    #expect(names(message.handle(.accepted(transactionID: "m-1-0", messageID: "7"), at: 1e9)) == ["announce:sent"])
  }

  @Test("With the option not to wait for service, sending fails at once (D6.6)")
  func doesNotWait() {
    var message = message(.sms, to: ["1"]) { $0.waitsForService = false }
    #expect(names(message.handle(.send(SendingTableTests.noService), at: 0)) == ["announce:failed"])
    #expect(message.failures == [.noSignal: ["1"]])
  }

  @Test(
    "R-MMS-39: a temporary failure is retried without limit, or three more times by the schedule with a limit (A43)")
  func schedules() {
    for (schedule, delays) in [
      (RetrySchedule.sendingWithEnd, [10.0, 60, 180]), (.sending, [10, 60, 180, 600, 1_800, 1_800]),
    ] {
      var message = message(.mms, to: ["1"]) { $0.schedule = schedule }
      _ = message.handle(.send(.init()), at: 0)
      var now = 0.0
      for delay in delays {
        let effects = message.handle(.requestFailed(transactionID: "m-1", .transient(.transient)), at: now)
        #expect(effects == [.setTimer(now + delay)])
        now += delay
        #expect(names(message.handle(.timer, at: now)) == ["noTimer", "submit:m-1:1"])
      }
      let last = names(message.handle(.requestFailed(transactionID: "m-1", .transient(.transient)), at: now))
      #expect(last == (schedule.repeatsLast ? ["timer:\(Int(now) + 1_800)"] : ["announce:failed"]))
    }
    #expect(RetrySchedule.none.delay(afterAttempts: 1) == nil)
    #expect(RetrySchedule(delays: [], repeatsLast: true).delay(afterAttempts: 1) == nil)
  }

  @Test("A39, R-MMS-40: a recipient who could not be reached has that reason, and not the refusal of another")
  func ownReasons() {
    var message = message(.sms, to: ["1", "2"]) { $0.schedule = .none }
    _ = message.handle(.send(.init()), at: 0)
    _ = message.handle(.requestFailed(transactionID: "m-1-0", .transient(.transient)), at: 1)
    _ = message.handle(.requestFailed(transactionID: "m-1-1", .permanent(.invalidAddress)), at: 2)
    #expect(message.failures == [.transient: ["1"], .invalidAddress: ["2"]])
    // And who waits for service goes on waiting for it.
    message = self.message(.sms, to: ["1", "2"])
    _ = message.handle(.send(.init()), at: 0)
    _ = message.handle(.requestFailed(transactionID: "m-1-0", .transient(.noSignal)), at: 1)
    #expect(message.handle(.requestFailed(transactionID: "m-1-1", .permanent(.invalidAddress)), at: 2) == [])
    #expect(message.state == .waiting)
    #expect(message.error == .noSignal)
    #expect(message.nextAttempt == nil)
  }

  @Test("An SMS to several recipients is one request each; failures are reported by reason (A39)")
  func manySMS() {
    var message = message(.sms, to: ["1", "2", "3"])
    #expect(names(message.handle(.send(.init()), at: 0)) == ["submit:m-1-0:1", "submit:m-1-1:1", "submit:m-1-2:1"])
    #expect(message.handle(.accepted(transactionID: "m-1-1", messageID: "b"), at: 1) == [])
    #expect(message.handle(.requestFailed(transactionID: "m-1-0", .permanent(.fdnCheck)), at: 1) == [])
    #expect(
      names(message.handle(.requestFailed(transactionID: "m-1-2", .permanent(.fdnCheck)), at: 1)) == ["announce:failed"]
    )
    #expect(message.failures == [.fdnCheck: ["1", "3"]])
    #expect(message.recipients.map(\.messageID) == [nil, "b", nil])
  }

  @Test("R-MMS-40: sending again makes new requests, only for recipients without the message")
  func resending() {
    var message = message(.sms, to: ["1", "2"])
    _ = message.handle(.send(.init()), at: 0)
    _ = message.handle(.accepted(transactionID: "m-1-0", messageID: nil), at: 0)
    _ = message.handle(.requestFailed(transactionID: "m-1-1", .permanent(.refused)), at: 0)
    #expect(names(message.handle(.resend(.init()), at: 5)) == ["submit:m-2-1:1"])
    // The answer to the request of before is nobody's any more.
    #expect(message.handle(.requestFailed(transactionID: "m-1-1", .permanent(.refused)), at: 6) == [])
    #expect(names(message.handle(.accepted(transactionID: "m-2-1", messageID: nil), at: 6)) == ["announce:sent"])
    #expect(message.error == nil)
  }

  @Test("While some requests are refused and others wait, the message waits; only waiting ones are sent again")
  func mixed() {
    var message = message(.sms, to: ["1", "2", "3"])
    _ = message.handle(.send(.init()), at: 0)
    _ = message.handle(.requestFailed(transactionID: "m-1-0", .permanent(.refused)), at: 0)
    _ = message.handle(.requestFailed(transactionID: "m-1-1", .transient(.transient)), at: 0)
    #expect(names(message.handle(.accepted(transactionID: "m-1-2", messageID: nil), at: 0)) == ["timer:10"])
    #expect(names(message.handle(.timer, at: 10)) == ["noTimer", "submit:m-1-1:1"])
    #expect(names(message.handle(.accepted(transactionID: "m-1-1", messageID: nil), at: 11)) == ["announce:failed"])
  }

  @Test("A message without recipients fails before any network access (A28)")
  func nobody() {
    for event in [MessageSending.Event.send(.init()), .restored] {
      var message = message(.mms, to: [])
      #expect(names(message.handle(event, at: 0)) == ["announce:failed"])
      #expect(message.error == .invalidAddress)
      #expect(!message.isDelivered)
      #expect(!message.isRead)
    }
  }

  @Test("Before sending, the network is checked (A46)")
  func obstacles() {
    func error(_ change: (inout NetworkConditions) -> Void) -> MessageErrorCode? {
      var conditions = NetworkConditions()
      change(&conditions)
      var message = message(.sms, to: ["1"]) { $0.waitsForService = false }
      _ = message.handle(.send(conditions), at: 0)
      return message.error
    }
    #expect(error { $0.hasService = false } == .noSignal)
    #expect(error { $0.isSIMActive = false } == .nonActiveSIMCardToSend)
    #expect(error { $0.isSIMMatched = false } == .simNotMatched)
    #expect(error { $0.hasSIM = false } == .noSIMCard)
    #expect(error { $0.isRadioOn = false } == .radioDisabled)
    #expect(error { _ in } == nil)
  }

  @Test("Response statuses of the carrier (MMS encapsulation 7.3.48)")
  func statuses() {
    typealias Failure = MessageSending.SendFailure
    #expect(Failure(status: 0x80) == nil)
    #expect(Failure(status: 0x81) == .permanent(.refused))
    #expect(Failure(status: 0x84) == .permanent(.invalidAddress))
    #expect(Failure(status: 0xC3) == .transient(.transient))
    #expect(Failure(status: 0xDF) == .transient(.transient))
    #expect(Failure(status: 0xE3) == .permanent(.invalidAddress))
    #expect(Failure(status: 0xFF) == .permanent(.refused))
  }

  @Test(
    "For any events in any order, no recipient gets a message twice, deletion is permanent, and a stored state restores equal",
    arguments: 1...8 as ClosedRange<UInt64>)
  func randomEvents(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let type: MessageType = random.below(2) == 0 ? .sms : .mms
      var message = message(type, to: ["111111", "222222", "333333"].shuffled(using: &random)) {
        $0.schedule = random.below(2) == 0 ? .sending : .sendingWithEnd
        $0.waitsForService = random.below(2) == 0
        $0.requestsDeliveryReport = true
      }
      for step in 0..<60 {
        var event = SendingTableTests.rows[random.below(SendingTableTests.rows.count)].event
        let transaction = type == .mms ? "m-\(message.round)" : "m-\(message.round)-\(random.below(3))"
        switch event {
        case .accepted: event = .accepted(transactionID: transaction, messageID: nil)
        case .requestFailed(_, let failure): event = .requestFailed(transactionID: transaction, failure)
        case .delete where random.below(8) > 0: continue
        default: break
        }
        var restored = try JSON.roundTrip(message)
        let before = message
        let now = Double(random.below(10_000))
        let effects = message.handle(event, at: now)
        #expect(restored.handle(event, at: now) == effects, "seed \(seed), step \(step)")
        #expect(restored == message, "seed \(seed), step \(step)")
        for case .submit(let request) in effects {
          let taken = before.recipients.filter { $0.submission == .accepted }.map(\.address)
          #expect(Set(request.addresses).isDisjoint(with: taken), "seed \(seed), step \(step)")
          #expect(!request.addresses.isEmpty, "seed \(seed), step \(step)")
        }
        #expect(before.state != .deleted || message.state == .deleted, "seed \(seed), step \(step)")
        let isUnderWay = message.recipients.contains { $0.submission == .inFlight }
        #expect(isUnderWay == (message.state == .sending) || message.state == .deleted, "seed \(seed), step \(step)")
        #expect(message.state == .waiting || message.nextAttempt == nil, "seed \(seed), step \(step)")
      }
    }
  }

  @Test("Times and counts at the limits of their ranges never trap")
  func extremes() {
    for now in [0, Double.greatestFiniteMagnitude, .nan, -.infinity] {
      for column in SendingTableTests.Column.allCases {
        var message = SendingTableTests.message(in: column)
        message.attempts = .max
        message.round = .max
        for row in SendingTableTests.rows { _ = message.handle(row.event, at: now) }
        #expect(message.state == .deleted)
      }
    }
  }
}
