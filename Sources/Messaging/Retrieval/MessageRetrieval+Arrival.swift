extension MessageRetrieval {
  /// Handles a new notification: returns its state and effects, or nil for a duplicate (A41).
  ///
  /// - Parameters:
  ///   - notification: The notification. For an unreadable one use ``answerToUnreadable(transactionID:)``.
  ///   - known: The notifications that are already stored. A duplicate of one changes nothing: the result is nil (A44).
  ///   - isUnwanted: Whether the sender is blocked.
  ///   - settings: The user's settings.
  ///   - conditions: The current network conditions.
  ///   - schedule: When failed downloads are retried.
  ///   - now: The current time.
  public static func arrived(
    _ notification: Notification, known: [Notification] = [], isUnwanted: Bool = false, settings: MessageSettings,
    conditions: NetworkConditions, schedule: RetrySchedule = .fetching, at now: Double
  ) -> (retrieval: MessageRetrieval, effects: [Effect])? {
    guard !known.contains(where: notification.announcesSame) else { return nil }
    var retrieval = MessageRetrieval(
      notification: notification, state: .manual, schedule: schedule, allowsReport: settings.allowsDeliveryReports,
      sendsReadReport: settings.sendsReadReports)
    // The carrier is not contacted about an expired message.
    if retrieval.hasExpired(at: now) {
      retrieval.state = .expired
      return (retrieval, [.announce(.expired)])
    }
    let mode: MessageSettings.RetrievalMode = isUnwanted ? .never : settings.retrievalMode
    // Only users who download everywhere accept the cost of sending while roaming.
    let mayAnswer = !conditions.isRoaming || settings.retrievalMode == .automatic
    let effects = retrieval.settleFirst(mode: mode, conditions: conditions, mayAnswer: mayAnswer)
    return (retrieval, effects)
  }

  /// The effects for a notification that is unreadable, or of a future major version, but has a transaction ID.
  public static func answerToUnreadable(transactionID: String) -> [Effect] {
    [.notifyResponse(.unrecognized, transactionID: transactionID, reportAllowed: false)]
  }

  private mutating func settleFirst(
    mode: MessageSettings.RetrievalMode, conditions: NetworkConditions, mayAnswer: Bool
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
