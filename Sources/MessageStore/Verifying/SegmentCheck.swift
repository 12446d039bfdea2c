internal import GRDB

/// The keys of the segments of SMS that are not whole: those of their senders. With another key, the SMS would never be whole.
struct SegmentCheck: DerivedCheck {
  private(set) var problems: [MessageStore.Problem] = []
  private var senders: [(key: String, sender: String)] = []

  init(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT DISTINCT key, sender FROM segment
        WHERE message IS NULL AND typeof(key) = 'text' AND typeof(sender) = 'text' ORDER BY 1, 2
        """)
    while let row = try rows.next() {
      let (key, sender): (String, String) = (row["key"], row["sender"])
      guard !ThreadKey.isKey(key, of: ThreadKey([sender]).participants) else { continue }
      senders.append((key, sender))
      problems.append(MessageStore.Problem(code: .derived, detail: "key of a segment from \(sender)"))
    }
  }

  /// Stores the keys again.
  func correct(_ writer: MessageWriter) throws {
    for (key, sender) in senders {
      try writer.execute(
        "UPDATE segment SET key = ? WHERE message IS NULL AND key = ? AND sender = ?",
        [ThreadKey([sender], own: writer.options.ownAddresses).key, key, sender])
    }
  }
}
