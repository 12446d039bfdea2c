internal import MediaModel
internal import MessageStore
internal import Messaging

/// The table of the messages of a thread.
enum StoredMessageTable {
  static let table = Table(columns: [
    Table.Column(title: "MESSAGE", width: 7...10, alignsRight: true), Table.Column(title: "TIME (UTC)", width: 19),
    Table.Column(title: "DIRECTION", width: 9, priority: 2), Table.Column(title: "TYPE", width: 4, priority: 3),
    Table.Column(title: "STATE", width: 8...24), Table.Column(title: "SIZE", width: 8, priority: 4, alignsRight: true),
    Table.Column(title: "SENDER", width: 12...32, priority: 1),
  ])

  static func lines(_ record: StoredMessageRecord) -> [String] {
    let message = record.message
    let isProblem = record.state == MessageSending.State.failed.rawValue
    let progress = message.retrieval?.progress.map { ", \(Int(100 * $0)) %" } ?? ""
    var notes: [Table.Cell] = []
    if let error = record.error { notes.append(Table.Cell("error: \(error.rawValue)", .problem)) }
    notes += (message.sending?.recipients ?? []).map(note)
    if record.showsText {
      if let subject = message.subject { notes.append(Table.Cell("subject: \(subject)")) }
      notes += message.parts.map { Table.Cell($0.text ?? "\($0.name ?? "file") (\(HumanNumbers.size($0.bytes)))") }
    }
    return table.lines(
      Table.Row(
        cells: [
          Table.Cell("\(message.id.rawValue)", .heading), StoredTime.cell(message.time),
          Table.Cell(message.isIncoming ? "incoming" : "outgoing", .quiet), Table.Cell(message.type.rawValue, .quiet),
          Table.Cell(record.state + progress + (message.isUnread ? ", unread" : ""), isProblem ? .problem : .plain),
          Table.Cell(HumanNumbers.size(message.parts.map(\.bytes).reduce(0, +))), Table.Cell(message.sender),
        ], notes: notes))
  }

  /// The word for the state of a submission.
  static func word(_ submission: MessageSending.Submission) -> String {
    switch submission {
    case .pending: "pending"
    case .inFlight: "inFlight"
    case .accepted: "accepted"
    case .failed: "failed"
    }
  }

  private static func note(_ recipient: MessageSending.Recipient) -> Table.Cell {
    var words = [word(recipient.submission)]
    if case .failed(let code) = recipient.submission { words = ["failed (\(code.rawValue))"] }
    switch recipient.delivery {
    case .notRequested: break
    case .pending: words.append("delivery not reported")
    case .success: words.append("delivered")
    case .rejected: words.append("delivery rejected")
    }
    switch recipient.reading {
    case .notRequested: break
    case .pending: words.append("reading not reported")
    case .read: words.append("read")
    case .deletedUnread: words.append("deleted unread")
    }
    var style = Table.Style.quiet
    if case .failed = recipient.submission { style = .problem }
    return Table.Cell("to \(recipient.address): \(words.joined(separator: ", "))", style)
  }
}
