public import MMSCodec

extension MessageRetrieval.Notification {
  /// Reads an M-Notification.ind. Nil for another PDU, an unknown major version, or missing fields; see
  /// ``MessageRetrieval/answerToUnreadable(transactionID:)``.
  ///
  /// An absolute expiry, as some relays write it, is used as such. The usual relative one starts at the arrival.
  public init?(_ message: MMSMessage, receivedAt: Double) {
    guard message.type == .notificationInd, message.version?.isKnown != false,
      let transaction = message.transactionID?.text, let location = message[.contentLocation]?.text
    else { return nil }
    let expiresAt: Double? =
      switch message[.expiry] {
      case .absolute(let seconds): Double(seconds)
      case .relative(let seconds): receivedAt + Double(seconds)
      case nil: nil
      }
    self.init(
      transactionID: transaction, contentLocation: location, receivedAt: receivedAt, expiresAt: expiresAt)
  }
}

extension MessageRetrieval.Event {
  /// The event for a received M-Retrieve.conf, which has been stored if it is a message.
  public init(_ message: MMSMessage) {
    guard message.type == .retrieveConf, message.version?.isKnown != false else {
      self = .fetchFailed(.unrecognized)
      return
    }
    if let status = message[.retrieveStatus], let failure = MessageRetrieval.FetchFailure(status: status.rawValue) {
      self = .fetchFailed(failure)
      return
    }
    self = .fetched(
      MessageRetrieval.Retrieved(
        transactionID: message.transactionID?.text, messageID: message[.messageID]?.text,
        wantsReadReport: message[.readReport] == true))
  }
}

extension MessageRetrieval.Effect {
  /// The PDU to send; nil for an effect that sends nothing.
  ///
  /// - Parameter sender: The recipient of a read report: the From of the message.
  public func message(to sender: EncodedString? = nil) -> MMSMessage? {
    switch self {
    case .notifyResponse(let status, let transaction, let isAllowed):
      var message = MMSMessage(.notifyRespInd, transactionID: TextString(transaction))
      message[.status] = MMSMessage.Status(status)
      message[.reportAllowed] = isAllowed
      return message
    case .acknowledge(let transaction, let isAllowed):
      var message = MMSMessage(.acknowledgeInd, transactionID: TextString(transaction))
      message[.reportAllowed] = isAllowed
      return message
    case .readReport(let id, let wasRead):
      guard let sender else { return nil }
      var message = MMSMessage(.readRecInd)
      message[.messageID] = TextString(id)
      message[.to] = sender
      message[.from] = .insertAddress
      message[.readStatus] = wasRead ? .read : .deletedUnread
      return message
    case .fetch, .cancelFetch, .setTimer, .cancelTimer, .announce, .replaceNotice, .discardMessage, .refuse: return nil
    }
  }
}

extension MMSMessage.Status {
  fileprivate init(_ status: MessageRetrieval.NotifyStatus) {
    self =
      switch status {
      case .retrieved: .retrieved
      case .rejected: .rejected
      case .deferred: .deferred
      case .unrecognized: .unrecognised
      }
  }
}
