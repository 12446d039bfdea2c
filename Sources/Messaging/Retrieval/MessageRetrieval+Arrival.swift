extension MessageRetrieval {
  /// A notification that has come, and what is to be done about it (A41).
  ///
  /// - Parameters:
  ///   - notification: What it says. One that cannot be read has ``answerToUnreadable(transactionID:)``.
  ///   - known: The notifications that are here. A second one of the same message changes nothing: the answer is nil (A44).
  ///   - isUnwanted: Whether its sender is blocked.
  ///   - settings: What the user has set.
  ///   - conditions: The network now.
  ///   - schedule: When a failed fetch is tried again.
  ///   - now: The time.
  public static func arrived(
    _ notification: Notification, known: [Notification] = [], isUnwanted: Bool = false, settings: MessageSettings,
    conditions: NetworkConditions, schedule: RetrySchedule = .fetching, at now: Double
  ) -> (retrieval: MessageRetrieval, effects: [Effect])? {
    guard !known.contains(where: notification.announcesSame) else { return nil }
    var retrieval = MessageRetrieval(
      notification: notification, state: .manual, schedule: schedule, allowsReport: settings.allowsDeliveryReports,
      sendsReadReport: settings.sendsReadReports)
    // Nothing is asked of the operator for a message that it no longer has.
    if retrieval.hasExpired(at: now) {
      retrieval.state = .expired
      return (retrieval, [.announce(.expired)])
    }
    let mode: RetrievalMode = isUnwanted ? .never : settings.retrievalMode
    // Only who fetches everywhere is willing to pay for what is sent while roaming.
    let mayAnswer = !conditions.isRoaming || settings.retrievalMode == .automatic
    let effects = retrieval.settleFirst(mode: mode, conditions: conditions, mayAnswer: mayAnswer)
    return (retrieval, effects)
  }

  /// What is to be done about a notification that cannot be read, or is of a future major version, but has a transaction.
  public static func answerToUnreadable(transactionID: String) -> [Effect] {
    [.notifyResponse(.unrecognized, transactionID: transactionID, reportAllowed: false)]
  }

  private mutating func settleFirst(
    mode: RetrievalMode, conditions: NetworkConditions, mayAnswer: Bool
  ) -> [Effect] {
    let isFetched =
      switch mode {
      case .manual, .never: false
      case .automatic: conditions.isDataSIM
      case .automaticHome: conditions.isDataSIM && !conditions.isRoaming
      }
    if isFetched { return beginFetch() }
    state = mode == .never ? .rejected : .manual
    let answers = mayAnswer ? answering(mode == .never ? .rejected : .deferred) : []
    return answers + [.announce(state)] + expiryTimer()
  }
}
