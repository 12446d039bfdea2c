extension MessageComposition {
  /// Who it is sent to: every valid recipient once, in the order of the entries (R-MMS-3, D6.7). Equal is what is spelled alike.
  public var sendList: [String] {
    var seen: Set<String> = []
    return recipients.filter(\.isValid).map(\.address).filter { seen.insert($0).inserted }
  }

  /// Addresses that are not suggested again (R-MMS-4).
  public var usedAddresses: Set<String> { Set(recipients.map(\.address)) }

  /// Entries that no message can be sent to (R-MMS-2).
  public var invalidRecipients: [MessageRecipient] { recipients.filter { !$0.isValid } }

  /// What stands over a message that is written (R-MMS-5).
  public var header: Header { sendList.isEmpty ? .newMessage : .recipients(sendList.count) }

  /// The text over a message that is written.
  public enum Header: Hashable, Sendable {
    /// Nobody is named yet.
    case newMessage
    /// So many different people are.
    case recipients(Int)

    /// In English.
    public var text: String {
      switch self {
      case .newMessage: "New Message"
      case .recipients(1): "1 recipient"
      case .recipients(let count): "\(count) recipients"
      }
    }
  }
}
