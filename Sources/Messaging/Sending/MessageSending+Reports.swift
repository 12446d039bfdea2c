extension MessageSending {
  /// Records a delivery report. Only final states are reported to the user (A45), and delivery is never revoked.
  mutating func report(_ status: DeliveryStatus, from address: String, at now: Double) -> [Effect] {
    guard wasSubmitted, let index = index(of: address) else { return [] }
    let accepted = acceptReported(index, at: now)
    let before = recipients[index].delivery
    guard before != .success, before != status.delivery else { return accepted }
    recipients[index].delivery = status.delivery
    switch status.delivery {
    case .success, .rejected: return accepted + [.delivery(address: recipients[index].address, status.delivery)]
    case .pending, .notRequested: return accepted
    }
  }

  /// Records a read report, which SMS does not have. A message that was read was also delivered.
  mutating func report(wasRead: Bool, from address: String, at now: Double) -> [Effect] {
    guard wasSubmitted, type == .mms, let index = index(of: address) else { return [] }
    let accepted = acceptReported(index, at: now)
    let reading = wasRead ? Reading.read : .deletedUnread
    guard recipients[index].reading != .read, recipients[index].reading != reading else { return accepted }
    recipients[index].reading = reading
    return accepted + [.reading(address: recipients[index].address, reading)]
  }

  /// Whether reports are possible: the message was submitted and is not deleted.
  private var wasSubmitted: Bool { state != .queued && state != .deleted }

  /// Marks a recipient as accepted: a report proves that the carrier has the message, even if the response was lost.
  private mutating func acceptReported(_ index: Int, at now: Double) -> [Effect] {
    guard recipients[index].submission != .accepted else { return [] }
    // One request sends an MMS to all recipients.
    for other in recipients.indices where other == index || type == .mms { recipients[other].submission = .accepted }
    switch state {
    case .sending: return resolve(at: now)
    case .failed: return failures.isEmpty ? resolve(at: now) : []
    case .waiting:
      guard !recipients.contains(where: { $0.submission == .pending }) else { return [] }
      let cancel = cancelTimer
      return cancel + resolve(at: now)
    case .queued, .sent, .deleted: return []
    }
  }

  /// The recipient of a report, by equal spelling or else the same person (A34), because carriers reformat numbers.
  private func index(of address: String) -> Int? {
    let reported = MessageRecipient(address.withoutAddressType)
    return recipients.firstIndex { $0.address == reported.address }
      ?? recipients.firstIndex { MessageRecipient($0.address).isSame(as: reported) }
  }
}

extension String {
  /// The address without `/TYPE=PLMN` and similar suffixes (OMA-TS-MMS-ENC 8).
  fileprivate var withoutAddressType: String {
    // Scalars, because a search for characters from the end takes quadratic time in an address of flags.
    guard let slash = unicodeScalars.lastIndex(of: "/"), self[slash...].uppercased().hasPrefix("/TYPE=") else {
      return self
    }
    return String(self[..<slash])
  }
}
