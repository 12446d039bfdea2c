extension MessageComposition {
  /// The addresses to send to: every valid recipient once, in the order of entry (R-MMS-3, D6.7). Addresses are
  /// compared by spelling.
  public var sendList: [String] {
    var seen: Set<String> = []
    return recipients.filter(\.isValid).map(\.address).filter { seen.insert($0).inserted }
  }

  /// Addresses that are not suggested again (R-MMS-4).
  public var usedAddresses: Set<String> { Set(recipients.map(\.address)) }

  /// Recipients with an invalid address (R-MMS-2).
  public var invalidRecipients: [MessageRecipient] { recipients.filter { !$0.isValid } }

  /// The title of the composition screen (R-MMS-5).
  public var header: Header { sendList.isEmpty ? .newMessage : .recipients(sendList.count) }

  /// The title of the composition screen.
  public enum Header: Hashable, Sendable {
    /// There are no recipients yet.
    case newMessage
    /// The number of distinct recipients.
    case recipients(Int)

    /// The title in English.
    public var text: String {
      switch self {
      case .newMessage: "New Message"
      case .recipients(1): "1 recipient"
      case .recipients(let count): "\(count) recipients"
      }
    }
  }
}
