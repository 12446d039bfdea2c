extension MessageSending {
  /// Takes a report of delivery. Only that it is delivered, or will not be, is told (A45); delivered is the last word.
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

  /// Takes a report of reading; an SMS has none. Who has read it has it.
  mutating func report(wasRead: Bool, from address: String, at now: Double) -> [Effect] {
    guard wasSubmitted, type == .mms, let index = index(of: address) else { return [] }
    let accepted = acceptReported(index, at: now)
    let reading = wasRead ? Reading.read : .deletedUnread
    guard recipients[index].reading != .read, recipients[index].reading != reading else { return accepted }
    recipients[index].reading = reading
    return accepted + [.reading(address: recipients[index].address, reading)]
  }

  /// What was never sent, or is deleted, has no reports.
  private var wasSubmitted: Bool { state != .queued && state != .deleted }

  /// A report proves that the operator has the message, even if its answer was lost: it is not sent once more.
  private mutating func acceptReported(_ index: Int, at now: Double) -> [Effect] {
    guard recipients[index].submission != .accepted else { return [] }
    // One request carries an MMS to everybody.
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

  /// The recipient of a report: spelled alike, else the same person (A34), since operators write numbers in their own form.
  private func index(of address: String) -> Int? {
    let reported = MessageRecipient(address.withoutAddressType)
    return recipients.firstIndex { $0.address == reported.address }
      ?? recipients.firstIndex { MessageRecipient($0.address).isSame(as: reported) }
  }
}

extension String {
  /// Without `/TYPE=PLMN` and the like (OMA-TS-MMS-ENC 8).
  fileprivate var withoutAddressType: String {
    guard let slash = lastIndex(of: "/"), self[slash...].uppercased().hasPrefix("/TYPE=") else { return self }
    return String(self[..<slash])
  }
}
