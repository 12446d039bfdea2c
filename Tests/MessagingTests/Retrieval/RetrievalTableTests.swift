internal import Testing

@testable internal import Messaging

/// Every event in every state of a retrieval: the state after it and the effects, one row an event.
@Suite struct RetrievalTableTests {
  typealias Event = MessageRetrieval.Event

  /// The states in the order of the columns.
  static let columns: [MessageRetrieval.State] = [
    .manual, .rejected, .pending, .waiting, .failed, .received, .expired, .deleted,
  ]

  /// A notification of time 0 that expires at 1,000, brought into a state before time 100.
  static func retrieval(in state: MessageRetrieval.State) -> MessageRetrieval? {
    var settings = MessageSettings()
    settings.retrievalMode =
      switch state {
      case .manual, .expired, .deleted: .manual
      case .rejected: .never
      case .pending, .waiting, .failed, .received: .automatic
      }
    let notification = MessageRetrieval.Notification(
      transactionID: "N", contentLocation: "http://mmsc/1", receivedAt: 0, expiresAfter: 1_000)
    var retrieval = MessageRetrieval.arrived(notification, settings: settings, conditions: .init(), at: 0)?.retrieval
    switch state {
    case .manual, .rejected, .pending: break
    case .waiting: _ = retrieval?.handle(.fetchFailed(.transient(.transient)), at: 90)
    case .failed: _ = retrieval?.handle(.fetchFailed(.permanent(.refused)), at: 90)
    case .received: _ = retrieval?.handle(.fetched(message), at: 90)
    case .expired: _ = retrieval?.handle(.timer, at: 1_001)
    case .deleted: _ = retrieval?.handle(.delete, at: 90)
    }
    return retrieval
  }

  static let message = MessageRetrieval.Retrieved(transactionID: "R", messageID: "M", wantsReadReport: true)

  typealias Row = TransitionRow<Event>

  static let rows: [Row] = [
    Row(
      name: "start", event: .start(.init()),
      cells: [
        "pending noTimer fetch:1", "pending noTimer fetch:1", "pending refuse:pending", "waiting refuse:pending",
        "pending noTimer fetch:1", "received refuse:alreadyDone", "expired refuse:expired", "deleted refuse:notFound",
      ]),
    Row(
      name: "start", event: .start(.init()), time: 2_000,
      cells: [
        "expired noTimer announce:expired refuse:expired", "expired noTimer announce:expired refuse:expired",
        "pending refuse:pending", "waiting refuse:pending", "expired noTimer announce:expired refuse:expired",
        "received refuse:alreadyDone", "expired refuse:expired", "deleted refuse:notFound",
      ]),
    Row(name: "progress", event: .progress(received: 1, total: 4), cells: ["-", "-", "-", "-", "-", "-", "-", "-"]),
    Row(
      name: "fetched", event: .fetched(message),
      cells: [
        "received noTimer replace acknowledge:R", "received noTimer replace acknowledge:R",
        "received noTimer replace response:retrieved:N", "received noTimer replace response:retrieved:N",
        "received noTimer replace response:retrieved:N", "-", "received noTimer replace acknowledge:R",
        "deleted discard",
      ]),
    Row(
      name: "storeFailed", event: .storeFailed,
      cells: ["-", "-", "failed response:deferred:N announce:failed timer:1000", "-", "-", "-", "-", "-"]),
    Row(
      name: "storeFailed", event: .storeFailed, time: 2_000,
      cells: ["-", "-", "expired response:deferred:N noTimer announce:expired", "-", "-", "-", "-", "-"]),
    Row(
      name: "fetchFailed for good", event: .fetchFailed(.permanent(.notFound)),
      cells: ["-", "-", "failed announce:failed timer:1000", "-", "-", "-", "-", "-"]),
    Row(
      name: "fetchFailed for good", event: .fetchFailed(.permanent(.notFound)), time: 2_000,
      cells: ["-", "-", "expired noTimer announce:expired", "-", "-", "-", "-", "-"]),
    Row(
      name: "fetchFailed for now", event: .fetchFailed(.transient(.noSignal)),
      cells: ["-", "-", "waiting timer:160", "-", "-", "-", "-", "-"]),
    Row(
      name: "fetchFailed for now", event: .fetchFailed(.transient(.noSignal)), time: 2_000,
      cells: ["-", "-", "expired noTimer announce:expired", "-", "-", "-", "-", "-"]),
    Row(
      name: "fetchFailed, no message", event: .fetchFailed(.unrecognized),
      cells: ["-", "-", "failed response:unrecognized:N announce:failed timer:1000", "-", "-", "-", "-", "-"]),
    Row(
      name: "timer", event: .timer,
      cells: ["manual timer:1000", "rejected timer:1000", "-", "waiting timer:150", "failed timer:1000", "-", "-", "-"]),
    Row(
      name: "timer", event: .timer, time: 150,
      cells: [
        "manual timer:1000", "rejected timer:1000", "-", "pending noTimer fetch:2", "failed timer:1000", "-", "-", "-",
      ]),
    Row(
      name: "timer", event: .timer, time: 2_000,
      cells: [
        "expired noTimer announce:expired", "expired noTimer announce:expired", "-", "expired noTimer announce:expired",
        "expired noTimer announce:expired", "-", "-", "-",
      ]),
    Row(
      name: "serviceAvailable", event: .serviceAvailable,
      cells: ["-", "-", "-", "pending noTimer fetch:2", "-", "-", "-", "-"]),
    Row(
      name: "serviceAvailable", event: .serviceAvailable, time: 2_000,
      cells: ["-", "-", "-", "expired noTimer announce:expired", "-", "-", "-", "-"]),
    Row(
      name: "radio off", event: .interrupted(.radioDisabled),
      cells: [
        "-", "-", "failed cancelFetch announce:failed timer:1000", "failed noTimer announce:failed timer:1000", "-",
        "-", "-",
        "-",
      ]),
    Row(
      name: "shutdown", event: .interrupted(.shutdown),
      cells: ["-", "-", "waiting cancelFetch", "waiting noTimer", "-", "-", "-", "-"]),
    Row(
      name: "restored", event: .restored,
      cells: [
        "manual timer:1000", "rejected timer:1000", "pending noTimer fetch:1", "waiting timer:150", "failed timer:1000",
        "-",
        "-", "-",
      ]),
    Row(
      name: "restored", event: .restored, time: 2_000,
      cells: [
        "expired noTimer announce:expired", "expired noTimer announce:expired", "expired noTimer announce:expired",
        "expired noTimer announce:expired", "expired noTimer announce:expired", "-", "-", "-",
      ]),
    Row(name: "notifiedAgain", event: .notifiedAgain, cells: ["-", "-", "-", "-", "-", "-", "-", "-"]),
    Row(
      name: "reject", event: .reject,
      cells: [
        "rejected timer:1000", "-", "rejected cancelFetch response:rejected:N timer:1000",
        "rejected response:rejected:N timer:1000",
        "rejected response:rejected:N timer:1000", "-", "-", "-",
      ]),
    Row(name: "read", event: .read, cells: ["-", "-", "-", "-", "-", "received readReport:M:true", "-", "-"]),
    Row(
      name: "delete", event: .delete,
      cells: [
        "deleted noTimer", "deleted noTimer", "deleted cancelFetch noTimer", "deleted noTimer", "deleted noTimer",
        "deleted noTimer readReport:M:false", "deleted noTimer", "-",
      ]),
  ]

  @Test("Each cell of the table is implemented", arguments: rows)
  func cell(row: Row) throws {
    let columns = try Self.columns.map { state in
      let retrieval = try #require(Self.retrieval(in: state))
      #expect(retrieval.state == state)
      return (machine: retrieval, state: state.rawValue)
    }
    try row.check(columns) { retrieval in
      let effects = retrieval.handle(row.event, at: row.time)
      return (retrieval.state.rawValue, effects.map(Self.name))
    }
  }

  @Test("The table has every state and every event")
  func complete() {
    #expect(Set(Self.columns) == Set(MessageRetrieval.State.allCases))
    #expect(Set(Self.rows.map { Self.kind(of: $0.event) }) == Set(0..<Self.kinds))
  }

  /// Number of kinds that ``kind(of:)`` distinguishes.
  static let kinds = 15

  /// A number for each kind of event: a new one does not compile until it has a number, and then a row.
  static func kind(of event: Event) -> Int {
    switch event {
    case .start: 0
    case .progress: 1
    case .fetched: 2
    case .storeFailed: 3
    case .fetchFailed(.transient): 4
    case .fetchFailed(.permanent): 5
    case .fetchFailed(.unrecognized): 6
    case .timer: 7
    case .serviceAvailable: 8
    case .interrupted: 9
    case .restored: 10
    case .notifiedAgain: 11
    case .reject: 12
    case .read: 13
    case .delete: 14
    }
  }

  static func name(_ effect: MessageRetrieval.Effect) -> String {
    switch effect {
    case .fetch(_, let attempt): "fetch:\(attempt)"
    case .cancelFetch: "cancelFetch"
    case .notifyResponse(let status, let transaction, _): "response:\(status.rawValue):\(transaction)"
    case .acknowledge(let transaction, _): "acknowledge:\(transaction)"
    case .readReport(let id, let wasRead): "readReport:\(id):\(wasRead)"
    case .setTimer(let time): "timer:\(Int(time))"
    case .cancelTimer: "noTimer"
    case .announce(let state): "announce:\(state.rawValue)"
    case .replaceNotice: "replace"
    case .discardMessage: "discard"
    case .refuse(let code): "refuse:\(code.rawValue)"
    }
  }
}
