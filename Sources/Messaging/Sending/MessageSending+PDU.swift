public import MMSCodec

extension MessageSending.Event {
  /// The event for a response or report from the carrier: M-Send.conf, M-Delivery.ind or M-Read-Orig.ind. Nil for any
  /// other PDU, and for missing fields. The Message-ID of a report identifies the message.
  public init?(_ message: MMSMessage) {
    switch message.type {
    case .sendConf:
      guard let transaction = message.transactionID?.text else { return nil }
      // Without a status, acceptance is not confirmed.
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
