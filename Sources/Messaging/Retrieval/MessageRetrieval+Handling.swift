extension MessageRetrieval {
  /// Handles an event: updates the state and returns the effects. An event that is invalid in a state changes nothing.
  public mutating func handle(_ event: Event, at now: Double) -> [Effect] {
    switch event {
    case .start(let conditions): start(conditions, at: now)
    case .progress(let received, let total): report(received, of: total)
    case .fetched(let message): take(message)
    case .storeFailed: fail(ifPending: .storageFull, answer: .deferred, at: now)
    case .fetchFailed(.unrecognized): fail(ifPending: .unrecognized, answer: .unrecognized, at: now)
    case .fetchFailed(.permanent(let code)): fail(ifPending: code, answer: nil, at: now)
    case .fetchFailed(.transient(let code)): retryLater(code, at: now)
    case .timer: timerFired(at: now)
    case .serviceAvailable: state == .waiting ? beginFetchUnlessExpired(at: now) : []
    case .interrupted(let code): interrupt(code, at: now)
    case .restored: restore(at: now)
    case .notifiedAgain: []
    case .reject: reject()
    case .read: read()
    case .delete: delete()
    }
  }

  private mutating func start(_ conditions: NetworkConditions, at now: Double) -> [Effect] {
    switch state {
    case .deleted: return [.refuse(.notFound)]
    case .received: return [.refuse(.alreadyDone)]
    case .pending, .waiting: return [.refuse(.pending)]
    case .expired: return [.refuse(.expired)]
    case .manual, .rejected, .failed:
      if hasExpired(at: now) { return expire() + [.refuse(.expired)] }
      if let obstacle = conditions.fetchObstacle { return [.refuse(obstacle)] }
      attempts = 0
      return beginFetch()
    }
  }

  private mutating func report(_ received: Int, of total: Int?) -> [Effect] {
    guard state == .pending, let total, total > 0 else { return [] }
    let bytes = min(max(0, received), total)
    (receivedBytes, totalBytes) = (bytes, total)
    progress = Double(bytes) / Double(total)
    return []
  }

  /// Records a downloaded message, which is shown even if it was no longer awaited.
  private mutating func take(_ message: Retrieved) -> [Effect] {
    switch state {
    case .received: return []
    case .deleted: return [.discardMessage]
    case .manual, .rejected, .pending, .waiting, .failed, .expired:
      settle(.received)
      retrieved = message
      error = nil
      // A deferred notification is answered by acknowledging the message, any other by reporting its retrieval.
      let answers: [Effect] =
        if answer == nil {
          answering(.retrieved)
        } else if let transaction = message.transactionID {
          [.acknowledge(transactionID: transaction, reportAllowed: allowsReport)]
        } else {
          []
        }
      return [.cancelTimer, .replaceNotice] + answers
    }
  }

  private mutating func fail(ifPending code: MessageErrorCode, answer: NotifyStatus?, at now: Double) -> [Effect] {
    guard state == .pending else { return [] }
    error = code
    let answers = answer.map { answering($0) } ?? []
    return answers + (hasExpired(at: now) ? expire() : giveUp())
  }

  private mutating func retryLater(_ code: MessageErrorCode, at now: Double) -> [Effect] {
    guard state == .pending else { return [] }
    error = code
    guard !hasExpired(at: now) else { return expire() }
    guard let delay = schedule.delay(afterAttempts: attempts) else { return giveUp() }
    settle(.waiting)
    nextAttempt = now + delay
    return [.setTimer(min(now + delay, firstMomentExpired ?? .infinity))]
  }

  private mutating func timerFired(at now: Double) -> [Effect] {
    switch state {
    case .pending, .received, .expired, .deleted: return []
    case .manual, .rejected, .failed: return hasExpired(at: now) ? expire() : expiryTimer()
    case .waiting:
      if hasExpired(at: now) { return expire() }
      guard let next = nextAttempt, next > now else { return beginFetch() }
      return [.setTimer(min(next, firstMomentExpired ?? .infinity))]
    }
  }

  /// Handles an interruption: retrieval resumes after an app restart, but for any other cause only when the user
  /// requests it.
  private mutating func interrupt(_ code: MessageErrorCode, at now: Double) -> [Effect] {
    guard state == .pending || state == .waiting else { return [] }
    let cancel: [Effect] = state == .pending ? [.cancelFetch] : [.cancelTimer]
    error = code
    guard code == .shutdown else { return cancel + giveUp() }
    settle(.waiting)
    nextAttempt = now
    return cancel
  }

  private mutating func restore(at now: Double) -> [Effect] {
    switch state {
    case .received, .expired, .deleted: return []
    case .manual, .rejected, .failed: return hasExpired(at: now) ? expire() : expiryTimer()
    case .pending:
      // The outcome of the attempt is unknown; it is repeated, and counts once.
      attempts = max(0, attempts - 1)
      return beginFetchUnlessExpired(at: now)
    case .waiting: return timerFired(at: now)
    }
  }

  private mutating func reject() -> [Effect] {
    guard [.manual, .pending, .waiting, .failed].contains(state) else { return [] }
    let cancel: [Effect] = state == .pending ? [.cancelFetch] : []
    settle(.rejected)
    return cancel + answering(.rejected) + expiryTimer(orCancel: true)
  }

  private mutating func read() -> [Effect] {
    guard state == .received, !isRead else { return [] }
    isRead = true
    return readReport(wasRead: true)
  }

  private mutating func delete() -> [Effect] {
    guard state != .deleted else { return [] }
    let report = state == .received && !isRead ? readReport(wasRead: false) : []
    let cancel: [Effect] = state == .pending ? [.cancelFetch] : []
    settle(.deleted)
    return cancel + [.cancelTimer] + report
  }
}

extension MessageRetrieval {
  /// Starts a download.
  mutating func beginFetch() -> [Effect] {
    settle(.pending)
    error = nil
    attempts = attempts < .max ? attempts + 1 : attempts
    return [.cancelTimer, .fetch(contentLocation: notification.contentLocation, attempt: attempts)]
  }

  /// Answers the notification unless it has been answered.
  mutating func answering(_ status: NotifyStatus) -> [Effect] {
    guard answer == nil else { return [] }
    answer = status
    return [.notifyResponse(status, transactionID: notification.transactionID, reportAllowed: allowsReport)]
  }

  /// Wakes the caller at the first moment at which the message has expired.
  /// - Parameter orCancel: Whether a timer that is set is cancelled if the message has no expiry.
  func expiryTimer(orCancel: Bool = false) -> [Effect] {
    firstMomentExpired.map { [.setTimer($0)] } ?? (orCancel ? [.cancelTimer] : [])
  }

  private var firstMomentExpired: Double? { notification.expiresAt?.nextUp }

  private mutating func beginFetchUnlessExpired(at now: Double) -> [Effect] {
    hasExpired(at: now) ? expire() : beginFetch()
  }

  private mutating func expire() -> [Effect] {
    settle(.expired)
    error = .expired
    return [.cancelTimer, .announce(.expired)]
  }

  private mutating func giveUp() -> [Effect] {
    settle(.failed)
    return [.announce(.failed)] + expiryTimer()
  }

  /// Enters a state and clears the data of the previous one.
  private mutating func settle(_ state: State) {
    self.state = state
    nextAttempt = nil
    progress = nil
    (receivedBytes, totalBytes) = (nil, nil)
  }

  private func readReport(wasRead: Bool) -> [Effect] {
    guard sendsReadReport, let retrieved, retrieved.wantsReadReport, let id = retrieved.messageID else { return [] }
    return [.readReport(messageID: id, wasRead: wasRead)]
  }
}
