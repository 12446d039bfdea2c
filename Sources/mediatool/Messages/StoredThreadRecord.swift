internal import MediaModel
internal import MessageStore
internal import Messaging

/// The JSON record of a thread of a message store (docs/design.md §7).
struct StoredThreadRecord: Encodable {
  let thread: MessageStore.Thread
  /// Whether the preview is part of it, which quotes the last message.
  let showsText: Bool

  private enum Keys: CodingKey {
    case thread, participants, messages, unread, time, type, draft, hasAttachment, lastFailed, preview
  }

  func encode(to encoder: any Encoder) throws {
    let summary = thread.summary
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(thread.id.rawValue, forKey: .thread)
    try values.encode(summary.participants, forKey: .participants)
    try values.encode(thread.messageCount, forKey: .messages)
    try values.encode(summary.unreadCount, forKey: .unread)
    try values.encodeIfPresent(summary.time.flatMap(StoredTime.time), forKey: .time)
    try values.encodeIfPresent(summary.type, forKey: .type)
    if summary.draft != .none { try values.encode(summary.draft, forKey: .draft) }
    if summary.hasAttachment { try values.encode(true, forKey: .hasAttachment) }
    if summary.lastSendFailed { try values.encode(true, forKey: .lastFailed) }
    if showsText, summary.preview != .nothing { try values.encode(summary.preview.text, forKey: .preview) }
  }
}

/// Times of messages.
enum StoredTime {
  /// The time in UTC; nil for one outside of the years 1 to 9999.
  static func time(_ seconds: Double) -> MediaInfo.CaptureTime? {
    Int(exactly: seconds.rounded(.down)).flatMap { MediaInfo.CaptureTime(secondsSince1970: $0) }
  }

  /// The time in a table: `2026-05-01 12:00:00` in UTC.
  static func cell(_ seconds: Double?) -> Table.Cell {
    Table.Cell(seconds.flatMap(time).map(HumanNumbers.second), .quiet)
  }
}

/// What `messages` prints on a terminal: one row per thread.
enum StoredThreadTable {
  static let table = Table(columns: [
    Table.Column(title: "THREAD", width: 6...10, alignsRight: true), Table.Column(title: "TIME (UTC)", width: 19),
    Table.Column(title: "MESSAGES", width: 8, priority: 2, alignsRight: true),
    Table.Column(title: "UNREAD", width: 6, priority: 3, alignsRight: true),
    Table.Column(title: "PARTICIPANTS", width: 16...60, priority: 1),
    Table.Column(title: "STATE", width: 12...24, priority: 4),
  ])

  static func lines(_ record: StoredThreadRecord) -> [String] {
    let summary = record.thread.summary
    var states: [String] = []
    switch summary.draft {
    case .none: break
    case .inThread: states.append("draft")
    case .new: states.append("only a draft")
    }
    if summary.hasAttachment { states.append("attachment") }
    if summary.lastSendFailed { states.append("failed") }
    let people = summary.participants.isEmpty ? "(hidden sender)" : summary.participants.joined(separator: ", ")
    return table.lines(
      Table.Row(
        cells: [
          Table.Cell("\(record.thread.id.rawValue)", .heading), StoredTime.cell(summary.time),
          Table.Cell("\(record.thread.messageCount)"), Table.Cell("\(summary.unreadCount)"), Table.Cell(people),
          Table.Cell(states.joined(separator: ", "), summary.lastSendFailed ? .problem : .plain),
        ], notes: record.showsText && summary.preview != .nothing ? [Table.Cell(summary.preview.text)] : []))
  }
}
