internal import FileSupport
internal import MediaLibrary

/// What was decided about a file, in JSON.
struct ModerationRecord: Encodable {
  let file: CatalogueFile
  let standing: Moderation.Standing

  init(_ file: CatalogueFile, _ standing: Moderation.Standing) { (self.file, self.standing) = (file, standing) }

  private enum Keys: CodingKey {
    case id, owner, state, hidden, content, quarantine, block, protection, verdict, acceptance, reports
  }

  func encode(to encoder: any Encoder) throws {
    try PathKeys.encode(file.stamp.path, as: "path", to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(file.id, forKey: .id)
    try container.encodeIfPresent(file.owner, forKey: .owner)
    try container.encode(file.state, forKey: .state)
    try container.encode(standing.isHidden, forKey: .hidden)
    try container.encodeIfPresent(standing.content.map { "\($0)" }, forKey: .content)
    try container.encodeIfPresent(standing.quarantine, forKey: .quarantine)
    try container.encodeIfPresent(standing.block, forKey: .block)
    try container.encodeIfPresent(standing.protection, forKey: .protection)
    try container.encodeIfPresent(standing.verdict.map { VerdictRecord($0) }, forKey: .verdict)
    try container.encodeIfPresent(standing.acceptance, forKey: .acceptance)
    try container.encode(standing.reports, forKey: .reports)
  }

  static let columns = [
    Table.Column(title: "FILE", width: 8, alignsRight: true), Table.Column(title: "CAUSE", width: 10),
    Table.Column(title: "BY", width: 4...16, priority: 2), Table.Column(title: "REASON", width: 10...40, priority: 1),
    Table.Column(title: "PATH", width: 10...60, keepsEnd: true),
  ]

  var cells: [Table.Cell] {
    let (kind, decision): (String, Moderation.Decision?) =
      standing.quarantine.map { ("quarantine", $0) } ?? standing.block.map { ("block", $0) } ?? ("malware", nil)
    return [
      Table.Cell("\(file.id.rawValue)"), Table.Cell(kind), Table.Cell(decision?.actor, .quiet),
      Table.Cell(decision?.reason ?? standing.verdict?.detail), Table.Cell(path: file.stamp.path),
    ]
  }
}

/// A verdict of a scanner, in JSON.
struct VerdictRecord: Encodable {
  let state: Moderation.Verdict.State
  let detail: String?
  let engine: String?
  let signatures: Int?
  let time: Int
  let due: Int?

  init(_ verdict: Moderation.Verdict) {
    (state, detail, engine) = (verdict.state, verdict.detail, verdict.engine)
    (signatures, time, due) = (verdict.signatures, verdict.time, verdict.due)
  }
}

/// A file content that is blocked, or is no more, in JSON.
struct BlockRecord: Encodable {
  let content: String
  let blocked: Bool
  let reason: String?
  let actor: String?
  let time: Int?
  let files: [FileID]?

  init(_ content: ContentDigest, isBlocked: Bool, _ decision: Moderation.Decision?, files: [FileID]? = nil) {
    (self.content, blocked, self.files) = ("\(content)", isBlocked, files)
    (reason, actor, time) = (decision?.reason, decision?.actor, decision?.time)
  }

  static let columns = [
    Table.Column(title: "DAY", width: 10), Table.Column(title: "BY", width: 4...16, priority: 1),
    Table.Column(title: "CONTENT", width: 64), Table.Column(title: "REASON", width: 10...40, priority: 2),
  ]

  var cells: [Table.Cell] {
    [Table.Cell(time.map(TimeArgument.day)), Table.Cell(actor, .quiet), Table.Cell(content), Table.Cell(reason)]
  }
}

/// A report of a reader, in JSON.
struct ReportRecord: Encodable {
  let report: Moderation.Report
  let path: PathBytes?

  init(_ report: Moderation.Report, path: PathBytes?) { (self.report, self.path) = (report, path) }

  private enum Keys: CodingKey { case file, moment, trip, reader, reason, time }

  func encode(to encoder: any Encoder) throws {
    if let path { try PathKeys.encode(path, as: "path", to: encoder) }
    var container = encoder.container(keyedBy: Keys.self)
    try container.encodeIfPresent(report.file, forKey: .file)
    try container.encodeIfPresent(report.moment, forKey: .moment)
    try container.encodeIfPresent(report.trip, forKey: .trip)
    try container.encode(report.reader, forKey: .reader)
    try container.encode(report.reason, forKey: .reason)
    try container.encode(report.time, forKey: .time)
  }

  static let columns = [
    Table.Column(title: "DAY", width: 10), Table.Column(title: "ABOUT", width: 8...20),
    Table.Column(title: "USER", width: 4...16), Table.Column(title: "REASON", width: 10...60, priority: 1),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell(TimeArgument.day(report.time)), Table.Cell(SubjectText.text(report.file, report.moment, report.trip)),
      Table.Cell(report.reader), Table.Cell(report.reason),
    ]
  }
}

/// An entry of the audit trail, in JSON.
struct AuditRecord: Encodable {
  let id: Int64
  let time: Int
  let actor: String
  let action: String
  let content: String?
  let file: FileID?
  let moment: Moment.ID?
  let trip: Trip.ID?
  let image: String?
  let reason: String?

  init(_ entry: Moderation.AuditEntry) {
    (image, moment, trip) = (entry.image.map { "\($0)" }, entry.moment, entry.trip)
    (id, time, actor, action) = (entry.id, entry.time, entry.actor, entry.action.rawValue)
    (content, file, reason) = (entry.content.map { "\($0)" }, entry.file, entry.reason)
  }

  static let columns = [
    Table.Column(title: "DAY", width: 10), Table.Column(title: "BY", width: 4...16, priority: 2),
    Table.Column(title: "ACTION", width: 10), Table.Column(title: "ABOUT", width: 8...64),
    Table.Column(title: "REASON", width: 10...60, priority: 1),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell(TimeArgument.day(time)), Table.Cell(actor), Table.Cell(action),
      Table.Cell(SubjectText.text(file, moment, trip) ?? content ?? image), Table.Cell(reason),
    ]
  }
}

/// The file, the moment or the trip that something is about, in a table.
enum SubjectText {
  static func text(_ file: FileID?, _ moment: Moment.ID?, _ trip: Trip.ID?) -> String? {
    file.map { "\($0.rawValue)" } ?? moment.map { "moment \($0.rawValue)" } ?? trip.map { "trip \($0.rawValue)" }
  }
}
