extension MessageSending.Event {
  /// What an answer or a report of the operator means: M-Send.conf, M-Delivery.ind, M-Read-Orig.ind; nil for any other PDU, and for one without what it
  /// is about. For which message a report is, its Message-ID says.
  public init?(_ message: MMSMessage) {
    switch message.type {
    case .sendConf:
      guard let transaction = message.transactionID?.text else { return nil }
      // Without a status nobody says that it was taken.
      let status = message[.responseStatus] ?? .unspecified
      if let failure = MessageSending.SendFailure(status: status.rawValue) {
        self = .requestFailed(transactionID: transaction, failure)
      } else {
        self = .accepted(transactionID: transaction, messageID: message[.messageID]?.text)
      }
    case .deliveryInd:
      guard let address = message[.to]?.text, let status = message[.status] else { return nil }
      self = .deliveryReport(
        address: address, MessageSending.DeliveryStatus(rawValue: status.rawValue) ?? .indeterminate)
    case .readOrigInd:
      guard case .address(let address) = message[.from], let status = message[.readStatus] else { return nil }
      self = .readReport(address: address.text, wasRead: status == .read)
    default: return nil
    }
  }
}
