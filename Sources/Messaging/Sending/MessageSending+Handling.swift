extension MessageSending {
  /// Handles an event: updates the state and returns the effects. An event that is invalid in a state changes nothing.
  public mutating func handle(_ event: Event, at now: Double) -> [Effect] {
    switch event {
    case .send(let conditions): send(conditions)
    case .resend(let conditions): resend(conditions)
    case .accepted(let transaction, let id): accept(transaction, messageID: id, at: now)
    case .requestFailed(let transaction, let failure): fail(transaction, failure, at: now)
    case .timer: timerFired(at: now)
    case .serviceAvailable: state == .waiting ? submit() : []
    case .interrupted(let code): interrupt(code, at: now)
    case .restored: restore(at: now)
    case .delete: delete()
    case .deliveryReport(let address, let status): report(status, from: address, at: now)
    case .readReport(let address, let wasRead): report(wasRead: wasRead, from: address, at: now)
    }
  }

  private mutating func send(_ conditions: NetworkConditions) -> [Effect] {
    switch state {
    case .queued: return begin(conditions)
    case .sending, .waiting: return [.refuse(.pending)]
    case .sent: return [.refuse(.alreadyDone)]
    case .failed: return [.refuse(error ?? .unknown)]
    case .deleted: return [.refuse(.notFound)]
    }
  }

  /// Starts another round for failed recipients; others do not get the message twice.
  private mutating func resend(_ conditions: NetworkConditions) -> [Effect] {
    switch state {
    case .queued, .sending, .waiting: return [.refuse(.pending)]
    case .sent: return [.refuse(.alreadyDone)]
    case .deleted: return [.refuse(.notFound)]
    case .failed:
      for index in recipients.indices where recipients[index].submission != .accepted {
        recipients[index].submission = .pending
      }
      attempts = 0
      round = round < .max ? round + 1 : round
      return begin(conditions)
    }
  }

  private mutating func begin(_ conditions: NetworkConditions) -> [Effect] {
    guard !recipients.isEmpty else { return failAll(.invalidAddress) }
    guard let obstacle = conditions.sendObstacle else { return submit() }
    return stop(obstacle)
  }

  private mutating func accept(_ transaction: String, messageID: String?, at now: Double) -> [Effect] {
    let answered = inFlight(transaction)
    guard state == .sending, !answered.isEmpty else { return [] }
    for index in answered {
      recipients[index].submission = .accepted
      recipients[index].messageID = messageID
    }
    if type == .mms { self.messageID = messageID }
    return resolve(at: now)
  }

  private mutating func fail(_ transaction: String, _ failure: SendFailure, at now: Double) -> [Effect] {
    let answered = inFlight(transaction)
    guard state == .sending, !answered.isEmpty else { return [] }
    switch failure {
    case .permanent(let code):
      // If other recipients are retried, their error is kept instead of this permanent one.
      if !recipients.contains(where: { $0.submission == .pending }) { error = code }
      for index in answered { recipients[index].submission = .failed(code) }
    case .transient(let code):
      error = code
      for index in answered { recipients[index].submission = .pending }
    }
    return resolve(at: now)
  }

  private mutating func timerFired(at now: Double) -> [Effect] {
    guard state == .waiting, let next = nextAttempt else { return [] }
    return next <= now ? submit() : [.setTimer(next)]
  }

  private mutating func interrupt(_ code: MessageErrorCode, at now: Double) -> [Effect] {
    guard state == .sending || state == .waiting else { return [] }
    let cancel: [Effect] = state == .sending ? [.cancelSubmit] : cancelTimer
    returnInFlight()
    guard code == .shutdown else { return cancel + stop(code) }
    state = .waiting
    error = code
    nextAttempt = now
    return cancel
  }

  private mutating func restore(at now: Double) -> [Effect] {
    switch state {
    case .sent, .failed, .deleted: return []
    case .queued, .sending:
      // The outcome of the requests is unknown; the same requests are repeated.
      returnInFlight()
      return recipients.isEmpty ? failAll(.invalidAddress) : submit()
    case .waiting: return nextAttempt == nil ? submit() : timerFired(at: now)
    }
  }

  private mutating func delete() -> [Effect] {
    let cancel: [Effect] = state == .sending ? [.cancelSubmit] : cancelTimer
    state = .deleted
    nextAttempt = nil
    return cancel
  }
}
