extension MessageSending {
  /// Submits the message for recipients that the carrier has not accepted yet.
  mutating func submit() -> [Effect] {
    let pending = recipients.indices.filter { recipients[$0].submission == .pending }
    for index in pending { recipients[index].submission = .inFlight }
    let cancel = cancelTimer
    state = .sending
    nextAttempt = nil
    switch type {
    case .mms: return cancel + [.submit(request(of: 0, to: pending.map { recipients[$0].address }))]
    case .sms: return cancel + pending.map { .submit(request(of: $0, to: [recipients[$0].address])) }
    }
  }

  /// A request with the reports of the policy.
  private func request(of index: Int, to addresses: [String]) -> Request {
    Request(
      transactionID: transaction(of: index), addresses: addresses,
      requestsDeliveryReport: policy.requestsDeliveryReport,
      requestsReadReport: type == .mms && policy.requestsReadReport)
  }

  /// The recipients that await the response to a request; empty for an outdated one.
  func inFlight(_ transaction: String) -> [Int] {
    recipients.indices.filter {
      recipients[$0].submission == .inFlight && self.transaction(of: type == .mms ? 0 : $0) == transaction
    }
  }

  /// Marks requests in flight as pending again.
  mutating func returnInFlight() {
    for index in recipients.indices where recipients[index].submission == .inFlight {
      recipients[index].submission = .pending
    }
  }

  /// Determines the next state once no request is in flight.
  mutating func resolve(at now: Double) -> [Effect] {
    if recipients.contains(where: { $0.submission == .inFlight }) { return [] }
    if recipients.contains(where: { $0.submission == .pending }) { return retryLater(error ?? .transient, at: now) }
    nextAttempt = nil
    guard failures.isEmpty else {
      state = .failed
      return [.announce(.failed)]
    }
    state = .sent
    error = nil
    return [.announce(.sent)]
  }

  /// Schedules the next attempt, or fails if there is none left.
  private mutating func retryLater(_ code: MessageErrorCode, at now: Double) -> [Effect] {
    guard !code.isLackOfService else { return stop(code) }
    attempts = attempts < .max ? attempts + 1 : attempts
    guard let delay = policy.schedule.delay(afterAttempts: attempts) else { return failAll(code) }
    error = code
    state = .waiting
    nextAttempt = now + delay
    return [.setTimer(now + delay)]
  }

  /// Waits for service if that is missing, otherwise fails.
  mutating func stop(_ code: MessageErrorCode) -> [Effect] {
    guard code.isLackOfService, policy.waitsForService else { return failAll(code) }
    error = code
    state = .waiting
    nextAttempt = nil
    return []
  }

  /// Fails for all recipients that the carrier has not accepted.
  mutating func failAll(_ code: MessageErrorCode) -> [Effect] {
    error = code
    for index in recipients.indices where recipients[index].submission == .pending {
      recipients[index].submission = .failed(code)
    }
    state = .failed
    nextAttempt = nil
    return [.announce(.failed)]
  }

  /// The effect that cancels a timer, if one is set.
  var cancelTimer: [Effect] { nextAttempt == nil ? [] : [.cancelTimer] }

  private func transaction(of index: Int) -> String {
    type == .mms ? "\(id)-\(round)" : "\(id)-\(round)-\(index)"
  }
}
