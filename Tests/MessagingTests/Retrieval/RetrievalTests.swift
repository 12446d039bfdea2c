internal import TestSupport
internal import Testing

@testable internal import Messaging

/// What a table of cells does not show.
@Suite struct RetrievalTests {
  private typealias Notification = MessageRetrieval.Notification

  private let notification = Notification(
    transactionID: "N", contentLocation: "http://mmsc/1", receivedAt: 0, expiresAfter: 1_000)

  private func settings(_ mode: MessageSettings.RetrievalMode) -> MessageSettings {
    var settings = MessageSettings()
    settings.retrievalMode = mode
    return settings
  }

  private func arrival(
    _ mode: MessageSettings.RetrievalMode, isUnwanted: Bool = false, at now: Double = 0,
    _ change: (inout NetworkConditions) -> Void = { _ in }
  ) -> String {
    var conditions = NetworkConditions()
    change(&conditions)
    guard
      let arrived = MessageRetrieval.arrived(
        notification, isUnwanted: isUnwanted, settings: settings(mode), conditions: conditions, at: now)
    else { return "" }
    return ([arrived.retrieval.state.rawValue] + arrived.effects.map(RetrievalTableTests.name)).joined(separator: " ")
  }

  @Test("R-MMS-46, R-MMS-56: the first state follows from the mode, the network and the SIM (A41)")
  func firstState() {
    let manual = "manual response:deferred:N announce:manual timer:1000"
    #expect(arrival(.manual) == manual)
    #expect(arrival(.never) == "rejected response:rejected:N announce:rejected timer:1000")
    #expect(arrival(.automatic) == "pending noTimer fetch:1")
    #expect(arrival(.automaticHome) == "pending noTimer fetch:1")
    #expect(arrival(.automatic) { $0.isDataSIM = false } == manual)
    #expect(arrival(.automaticHome) { $0.isDataSIM = false } == manual)
    #expect(arrival(.automatic, isUnwanted: true) == "rejected response:rejected:N announce:rejected timer:1000")
  }

  @Test("While roaming nothing is sent to the carrier, except with automatic download everywhere (A41)")
  func roaming() {
    #expect(arrival(.manual) { $0.isRoaming = true } == "manual announce:manual timer:1000")
    #expect(arrival(.automaticHome) { $0.isRoaming = true } == "manual announce:manual timer:1000")
    #expect(arrival(.never) { $0.isRoaming = true } == "rejected announce:rejected timer:1000")
    #expect(arrival(.automatic) { $0.isRoaming = true } == "pending noTimer fetch:1")
  }

  @Test("R-MMS-52: a message that has expired on arrival is not requested")
  func expiredOnArrival() {
    #expect(arrival(.automatic, at: 1_000) == "pending noTimer fetch:1")
    #expect(arrival(.automatic, at: 1_000.5) == "expired announce:expired")
  }

  @Test("A second notification of the same message is ignored (A44)")
  func duplicates() {
    let again = Notification(transactionID: "N", contentLocation: "http://mmsc/2", receivedAt: 5)
    let moved = Notification(transactionID: "O", contentLocation: "http://mmsc/1", receivedAt: 5)
    let other = Notification(transactionID: "O", contentLocation: "http://mmsc/2", receivedAt: 5)
    func isNew(_ next: Notification) -> Bool {
      MessageRetrieval.arrived(next, known: [notification], settings: .init(), conditions: .init(), at: 5) != nil
    }
    #expect(!isNew(again))
    #expect(!isNew(moved))
    #expect(isNew(other))
  }

  @Test("An unreadable PDU is answered as unrecognised")
  func unreadable() {
    #expect(
      MessageRetrieval.answerToUnreadable(transactionID: "N").map(RetrievalTableTests.name)
        == ["response:unrecognized:N"])
  }

  @Test("R-MMS-48: the expiry is the arrival plus the carrier's seconds")
  func expiry() throws {
    #expect(notification.expiresAt == 1_000)
    let retrieval = try #require(RetrievalTableTests.retrieval(in: .manual))
    #expect(!retrieval.hasExpired(at: 1_000))
    #expect(retrieval.hasExpired(at: 1_000.001))
  }

  @Test("R-MMS-46, R-MMS-49, R-MMS-50, R-MMS-52: a list shows the current state at a given time")
  func shown() throws {
    let early: [MessageRetrieval.State: MessageRetrieval.Shown] = [
      .manual: .notDownloaded, .rejected: .notDownloaded, .pending: .pending, .waiting: .pending, .failed: .error,
      .received: .received, .expired: .expired, .deleted: .deleted,
    ]
    for state in MessageRetrieval.State.allCases {
      let retrieval = try #require(RetrievalTableTests.retrieval(in: state))
      #expect(retrieval.shown(at: 100) == early[state])
      let isNotice = [.manual, .rejected, .failed].contains(state)
      #expect(retrieval.shown(at: 2_000) == (isNotice ? .expired : early[state]))
    }
  }

  @Test("R-MMS-54: opening a deleted message reports that it does not exist, which is not a failed download")
  func deleted() throws {
    var retrieval = try #require(RetrievalTableTests.retrieval(in: .deleted))
    #expect(retrieval.handle(.start(.init()), at: 100) == [.refuse(.notFound)])
    #expect(retrieval.handle(.start(.init()), at: 2_000) == [.refuse(.notFound)])
    #expect(retrieval.shown(at: 100) == .deleted)
    #expect(retrieval.state == .deleted)
    let others = MessageRetrieval.State.allCases.filter { $0 != .deleted }
    for state in others {
      var other = try #require(RetrievalTableTests.retrieval(in: state))
      #expect(!other.handle(.start(.init()), at: 100).contains(.refuse(.notFound)))
    }
  }

  @Test("R-MMS-54: a notification that was deleted is not found, also after a restart, and nothing is fetched for it")
  func deletedAfterArrival() throws {
    for mode in [MessageSettings.RetrievalMode.manual, .automatic] {
      let arrived = try #require(
        MessageRetrieval.arrived(notification, settings: settings(mode), conditions: .init(), at: 0))
      var retrieval = arrived.retrieval
      _ = retrieval.handle(.delete, at: 10)
      // The app ends, and somebody opens the notification.
      retrieval = try JSON.roundTrip(retrieval)
      #expect(retrieval.handle(.restored, at: 20).allSatisfy { if case .fetch = $0 { false } else { true } })
      #expect(retrieval.handle(.start(.init()), at: 30) == [.refuse(.notFound)])
      #expect(retrieval.shown(at: 30) == .deleted)
    }
    // A message that its carrier does not have any more has failed, and says so otherwise.
    var other = try #require(
      MessageRetrieval.arrived(notification, settings: settings(.automatic), conditions: .init(), at: 0)
    ).retrieval
    _ = other.handle(.fetchFailed(.permanent(.notFound)), at: 5)
    #expect(other.shown(at: 30) == .error)
    #expect(other.state == .failed)
  }

  @Test("R-MMS-51: a downloaded message replaces its notification, once")
  func replaced() throws {
    for state in [MessageRetrieval.State.pending, .waiting, .manual, .failed] {
      var retrieval = try #require(RetrievalTableTests.retrieval(in: state))
      #expect(retrieval.handle(.fetched(RetrievalTableTests.message), at: 100).contains(.replaceNotice))
      #expect(retrieval.shown(at: 100) == .received)
      #expect(retrieval.shown(at: 5_000) == .received)
      #expect(!retrieval.handle(.fetched(RetrievalTableTests.message), at: 101).contains(.replaceNotice))
    }
  }

  @Test("R-MMS-47: before a download the network is checked, in the order of A42")
  func obstacles() throws {
    var conditions = NetworkConditions()
    func refusal() throws -> [MessageRetrieval.Effect] {
      var retrieval = try #require(RetrievalTableTests.retrieval(in: .manual))
      defer { #expect(retrieval.state == .manual) }
      return retrieval.handle(.start(conditions), at: 100)
    }
    conditions.isSIMActive = false
    #expect(try refusal() == [.refuse(.nonActiveSIMCard)])
    conditions.isSIMMatched = false
    #expect(try refusal() == [.refuse(.simNotMatched)])
    conditions.hasSIM = false
    #expect(try refusal() == [.refuse(.noSIMCard)])
    conditions.isRadioOn = false
    #expect(try refusal() == [.refuse(.radioDisabledToDownload)])
  }

  @Test("R-MMS-50: a download is tried again after 1, 5, 10 and 30 minutes, then on request, which starts over (A43)")
  func schedule() throws {
    let late = Notification(transactionID: "N", contentLocation: "x", receivedAt: 0)
    var retrieval = try #require(
      MessageRetrieval.arrived(late, settings: settings(.automatic), conditions: .init(), at: 0)?.retrieval)
    var now = 0.0
    for (attempt, delay) in [60.0, 300, 600, 1_800].enumerated() {
      #expect(retrieval.handle(.fetchFailed(.transient(.transient)), at: now) == [.setTimer(now + delay)])
      now += delay
      #expect(retrieval.handle(.timer, at: now) == [.cancelTimer, .fetch(contentLocation: "x", attempt: attempt + 2)])
    }
    #expect(retrieval.handle(.fetchFailed(.transient(.transient)), at: now) == [.announce(.failed)])
    #expect(retrieval.error == .transient)
    #expect(retrieval.handle(.start(.init()), at: now) == [.cancelTimer, .fetch(contentLocation: "x", attempt: 1)])
  }

  @Test("A timer before the next attempt is for the expiry, if that is earlier")
  func expiryBeforeAttempt() throws {
    var retrieval = try #require(RetrievalTableTests.retrieval(in: .pending))
    let effects = retrieval.handle(.fetchFailed(.transient(.transient)), at: 990)
    #expect(effects.map(RetrievalTableTests.name) == ["timer:1000"])
    #expect(retrieval.handle(.timer, at: 1_000.5).first == .cancelTimer)
    #expect(retrieval.state == .expired)
  }

  @Test("R-MMS-49: progress is a share of the whole during a download")
  func progress() throws {
    var retrieval = try #require(RetrievalTableTests.retrieval(in: .pending))
    _ = retrieval.handle(.progress(received: 1, total: 4), at: 1)
    #expect(retrieval.progress == 0.25)
    #expect(retrieval.receivedBytes == 1)
    #expect(retrieval.totalBytes == 4)
    _ = retrieval.handle(.progress(received: 9, total: 4), at: 1)
    #expect(retrieval.progress == 1)
    #expect(retrieval.receivedBytes == 4)
    _ = retrieval.handle(.progress(received: .max, total: 0), at: 1)
    _ = retrieval.handle(.progress(received: 1, total: nil), at: 1)
    #expect(retrieval.progress == 1)
    _ = retrieval.handle(.fetchFailed(.transient(.transient)), at: 1)
    #expect(retrieval.progress == nil)
    #expect(retrieval.receivedBytes == nil)
    #expect(retrieval.totalBytes == nil)
  }

  @Test("A message without a transaction is not acknowledged, and a user may disable reports")
  func acknowledging() throws {
    var retrieval = try #require(RetrievalTableTests.retrieval(in: .manual))
    _ = retrieval.handle(.start(.init()), at: 1)
    #expect(retrieval.handle(.fetched(.init()), at: 1) == [.cancelTimer, .replaceNotice])
    var settings = settings(.automatic)
    settings.allowsDeliveryReports = false
    settings.sendsReadReports = false
    var silent = try #require(
      MessageRetrieval.arrived(notification, settings: settings, conditions: .init(), at: 0)?.retrieval)
    #expect(
      silent.handle(.fetched(RetrievalTableTests.message), at: 1).last
        == .notifyResponse(.retrieved, transactionID: "N", reportAllowed: false))
    #expect(silent.handle(.read, at: 1) == [])
  }

  @Test("A read report is sent once, and none after a read message was deleted")
  func readReports() throws {
    var retrieval = try #require(RetrievalTableTests.retrieval(in: .received))
    #expect(retrieval.handle(.read, at: 1) == [.readReport(messageID: "M", wasRead: true)])
    #expect(retrieval.handle(.read, at: 1) == [])
    #expect(retrieval.handle(.delete, at: 1) == [.cancelTimer])
  }

  @Test("Statuses of the carrier and of HTTP (A43, MMS encapsulation 7.3.47)")
  func statuses() {
    typealias Failure = MessageRetrieval.FetchFailure
    #expect(Failure(status: 0x80) == nil)
    #expect(Failure(status: 0xC0) == .transient(.transient))
    #expect(Failure(status: 0xDF) == .transient(.transient))
    #expect(Failure(status: 0xE2) == .permanent(.notFound))
    #expect(Failure(status: 0xFF) == .permanent(.refused))
    #expect(Failure(httpStatus: 200) == nil)
    #expect(Failure(httpStatus: 404) == .permanent(.notFound))
    #expect(Failure(httpStatus: 503) == .transient(.transient))
    #expect(Failure(httpStatus: 403) == .permanent(.refused))
  }

  @Test(
    "For any events in any order, the carrier is answered once, deletion is permanent, and a stored state restores equal",
    arguments: 1...8 as ClosedRange<UInt64>)
  func randomEvents(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events =
      RetrievalTableTests.rows.map(\.event) + [
        .progress(received: .min, total: .max), .fetchFailed(.transient(.unknown)),
      ]
    for _ in 0..<40 {
      let mode = MessageSettings.RetrievalMode.allCases[random.below(4)]
      var retrieval = try #require(
        MessageRetrieval.arrived(notification, settings: settings(mode), conditions: .init(), at: 0)?.retrieval)
      var answers = retrieval.answer == nil ? 0 : 1
      for step in 0..<60 {
        let event = events[random.below(events.count)]
        let now = Double(random.below(1_300))
        var restored = try JSON.roundTrip(retrieval)
        let wasDeleted = retrieval.state == .deleted
        let effects = retrieval.handle(event, at: now)
        #expect(restored.handle(event, at: now) == effects, "seed \(seed), step \(step)")
        #expect(restored == retrieval, "seed \(seed), step \(step)")
        answers += effects.count { if case .notifyResponse = $0 { true } else { false } }
        #expect(answers <= 1, "seed \(seed), step \(step)")
        #expect(!wasDeleted || retrieval.state == .deleted, "seed \(seed), step \(step)")
        #expect((retrieval.state == .waiting) == (retrieval.nextAttempt != nil), "seed \(seed), step \(step)")
      }
    }
  }

  @Test("Times and counts at the limits of their ranges never trap")
  func extremes() throws {
    for expiry in [0, -1, Double.greatestFiniteMagnitude, .infinity, .nan, -.infinity] {
      let odd = Notification(transactionID: "N", contentLocation: "x", receivedAt: expiry, expiresAfter: expiry)
      for mode in MessageSettings.RetrievalMode.allCases {
        for now in [0, Double.greatestFiniteMagnitude, .nan, -.infinity] {
          var retrieval = MessageRetrieval.arrived(odd, settings: settings(mode), conditions: .init(), at: now)?
            .retrieval
          retrieval?.attempts = .max
          for row in RetrievalTableTests.rows { _ = retrieval?.handle(row.event, at: now) }
          #expect(retrieval?.state == .deleted)
        }
      }
    }
  }
}
