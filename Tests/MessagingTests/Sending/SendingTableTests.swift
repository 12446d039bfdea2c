internal import Testing

@testable internal import Messaging

/// Every event in every state of a message on its way: the state after it and the effects, one row an event (R-MMS-39, R-MMS-40,
/// R-MMS-55).
@Suite struct SendingTableTests {
  typealias Event = MessageSending.Event

  /// The states in the order of the columns; a message may wait for a time or for service.
  enum Column: CaseIterable {
    case queued
    case sending
    case waiting
    case stranded
    case sent
    case failed
    case deleted
  }

  static let states: [Column: MessageSending.State] = [
    .queued: .queued, .sending: .sending, .waiting: .waiting, .stranded: .waiting, .sent: .sent, .failed: .failed,
    .deleted: .deleted,
  ]

  /// An MMS to two people, brought into a state before time 100.
  static func message(in column: Column) -> MessageSending {
    var policy = MessageSending.Policy()
    policy.requestsDeliveryReport = true
    policy.requestsReadReport = true
    var message = MessageSending(id: "m", type: .mms, to: ["111111", "222222"], policy: policy)
    if column == .queued { return message }
    _ = message.handle(.send(.init()), at: 90)
    switch column {
    case .queued, .sending: break
    case .waiting: _ = message.handle(.requestFailed(transactionID: "m-1", .transient(.transient)), at: 95)
    case .stranded: _ = message.handle(.requestFailed(transactionID: "m-1", .transient(.noSignal)), at: 95)
    case .sent: _ = message.handle(.accepted(transactionID: "m-1", messageID: "M"), at: 95)
    case .failed: _ = message.handle(.requestFailed(transactionID: "m-1", .permanent(.refused)), at: 95)
    case .deleted: _ = message.handle(.delete, at: 95)
    }
    return message
  }

  typealias Row = TransitionRow<Event>

  static var noService: NetworkConditions {
    var conditions = NetworkConditions()
    conditions.hasService = false
    return conditions
  }

  static var noSIM: NetworkConditions {
    var conditions = NetworkConditions()
    conditions.hasSIM = false
    return conditions
  }

  static let rows: [Row] = [
    Row(
      name: "send", event: .send(.init()),
      cells: [
        "sending submit:m-1:2", "sending refuse:pending", "waiting refuse:pending", "waiting refuse:pending",
        "sent refuse:alreadyDone", "failed refuse:refused", "deleted refuse:notFound",
      ]),
    Row(
      name: "send without service", event: .send(noService),
      cells: [
        "waiting", "sending refuse:pending", "waiting refuse:pending", "waiting refuse:pending",
        "sent refuse:alreadyDone",
        "failed refuse:refused", "deleted refuse:notFound",
      ]),
    Row(
      name: "send without SIM", event: .send(noSIM),
      cells: [
        "failed announce:failed", "sending refuse:pending", "waiting refuse:pending", "waiting refuse:pending",
        "sent refuse:alreadyDone", "failed refuse:refused", "deleted refuse:notFound",
      ]),
    Row(
      name: "accepted", event: .accepted(transactionID: "m-1", messageID: "M"),
      cells: ["-", "sent announce:sent", "-", "-", "-", "-", "-"]),
    Row(
      name: "accepted, an old request", event: .accepted(transactionID: "m-0", messageID: "M"),
      cells: ["-", "-", "-", "-", "-", "-", "-"]),
    Row(
      name: "failed for now", event: .requestFailed(transactionID: "m-1", .transient(.invalidAddress)),
      cells: ["-", "waiting timer:110", "-", "-", "-", "-", "-"]),
    Row(
      name: "failed without service", event: .requestFailed(transactionID: "m-1", .transient(.noSignal)),
      cells: ["-", "waiting", "-", "-", "-", "-", "-"]),
    Row(
      name: "failed for good", event: .requestFailed(transactionID: "m-1", .permanent(.refused)),
      cells: ["-", "failed announce:failed", "-", "-", "-", "-", "-"]),
    Row(name: "timer", event: .timer, cells: ["-", "-", "waiting timer:105", "-", "-", "-", "-"]),
    Row(
      name: "timer", event: .timer, time: 105, cells: ["-", "-", "sending noTimer submit:m-1:2", "-", "-", "-", "-"]),
    Row(
      name: "serviceAvailable", event: .serviceAvailable,
      cells: ["-", "-", "sending noTimer submit:m-1:2", "sending submit:m-1:2", "-", "-", "-"]),
    Row(
      name: "radio off", event: .interrupted(.radioDisabled),
      cells: ["-", "waiting cancelSubmit", "waiting noTimer", "-", "-", "-", "-"]),
    Row(
      name: "SIM changed", event: .interrupted(.simNotMatched),
      cells: [
        "-", "failed cancelSubmit announce:failed", "failed noTimer announce:failed", "failed announce:failed",
        "-", "-",
        "-",
      ]),
    Row(
      name: "shutdown", event: .interrupted(.shutdown),
      cells: ["-", "waiting cancelSubmit", "waiting noTimer", "-", "-", "-", "-"]),
    Row(
      name: "restored", event: .restored,
      cells: [
        "sending submit:m-1:2", "sending submit:m-1:2", "waiting timer:105", "sending submit:m-1:2", "-", "-", "-",
      ]),
    Row(
      name: "resend", event: .resend(.init()),
      cells: [
        "queued refuse:pending", "sending refuse:pending", "waiting refuse:pending", "waiting refuse:pending",
        "sent refuse:alreadyDone", "sending submit:m-2:2", "deleted refuse:notFound",
      ]),
    Row(
      name: "delete", event: .delete,
      cells: ["deleted", "deleted cancelSubmit", "deleted noTimer", "deleted", "deleted", "deleted", "-"]),
    Row(
      name: "delivered", event: .deliveryReport(address: "+1 111111/TYPE=PLMN", .retrieved),
      cells: ["-", "-", "-", "-", "-", "-", "-"]),
    Row(
      name: "delivered", event: .deliveryReport(address: "111111/TYPE=PLMN", .retrieved),
      cells: [
        "-", "sent announce:sent delivery:success", "sent noTimer announce:sent delivery:success",
        "sent announce:sent delivery:success", "sent delivery:success", "sent announce:sent delivery:success", "-",
      ]),
    Row(
      name: "read", event: .readReport(address: "111111", wasRead: true),
      cells: [
        "-", "sent announce:sent reading:read", "sent noTimer announce:sent reading:read",
        "sent announce:sent reading:read",
        "sent reading:read", "sent announce:sent reading:read", "-",
      ]),
  ]

  @Test("Each cell of the table is implemented", arguments: rows)
  func cell(row: Row) throws {
    let columns = Column.allCases.map { column in
      let message = Self.message(in: column)
      #expect(message.state == Self.states[column])
      return (machine: message, state: message.state.rawValue)
    }
    try row.check(columns) { message in
      let effects = message.handle(row.event, at: row.time)
      return (message.state.rawValue, effects.map(Self.name))
    }
  }

  @Test("The table has every state and every event")
  func complete() {
    #expect(Set(Self.states.values) == Set(MessageSending.State.allCases))
    #expect(Set(Self.rows.map { Self.kind(of: $0.event) }) == Set(0..<Self.kinds))
  }

  /// Number of kinds that ``kind(of:)`` distinguishes.
  static let kinds = 12

  /// A number for each kind of event: a new one does not compile until it has a number, and then a row.
  static func kind(of event: Event) -> Int {
    switch event {
    case .send: 0
    case .accepted: 1
    case .requestFailed(_, .transient): 2
    case .requestFailed(_, .permanent): 3
    case .timer: 4
    case .serviceAvailable: 5
    case .interrupted: 6
    case .restored: 7
    case .resend: 8
    case .delete: 9
    case .deliveryReport: 10
    case .readReport: 11
    }
  }

  static func name(_ effect: MessageSending.Effect) -> String {
    switch effect {
    case .submit(let request): "submit:\(request.transactionID):\(request.addresses.count)"
    case .cancelSubmit: "cancelSubmit"
    case .setTimer(let time): "timer:\(Int(time))"
    case .cancelTimer: "noTimer"
    case .announce(let state): "announce:\(state.rawValue)"
    case .delivery(_, let delivery): "delivery:\(delivery.rawValue)"
    case .reading(_, let reading): "reading:\(reading.rawValue)"
    case .refuse(let code): "refuse:\(code.rawValue)"
    }
  }
}
