public import Messaging

extension MessageStore {
  /// One conversation: all messages with the same people.
  public struct Thread: Hashable, Sendable, Identifiable {
    /// The number of a thread, which is never used again.
    public struct ID: RawRepresentable, Hashable, Codable, Sendable {
      /// The number of the row.
      public let rawValue: Int64
      /// A thread with this number.
      public init(rawValue: Int64) { self.rawValue = rawValue }
    }

    /// The number of the thread.
    public let id: ID
    /// Participants, preview, unread messages, and the flags of a row in the list of threads.
    public let summary: ThreadSummary
    /// The draft in the thread; nil without one.
    public let draft: Draft.ID?
    /// Number of messages.
    public let messageCount: Int
    /// Where the next page begins after this thread.
    public let cursor: Cursor
  }

  /// A position in a list that is sorted by time, newest first. It stays valid when rows are added or removed.
  public struct Cursor: Hashable, Codable, Sendable {
    let time: Double
    let id: Int64
  }
}

extension MessageStore.Cursor: LosslessStringConvertible {
  /// The position as a short text, for an address or a row of an app.
  public var description: String { "\(String(time.bitPattern, radix: 16))-\(id)" }

  /// The position that a text names; nil for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let bits = UInt64(parts[0], radix: 16), let id = Int64(parts[1]) else { return nil }
    self.init(time: Double(bitPattern: bits), id: id)
    guard time.isFinite, self.description == description else { return nil }
  }
}
