internal import MMSCodec
internal import MediaModel
internal import Messaging

/// A message on a terminal: its headers, then one row per module.
enum ModuleTable {
  /// What `modules` prints of one message.
  static func lines(_ shown: ShownMessage, width: Int? = nil, colors: Bool = Terminal.usesColors(1)) -> [String] {
    let table = Table(columns: columns, colors: colors, width: width)
    var facts = MessageSummary(shown).lines.map { (name: $0.name, text: Table.Cell($0.text)) }
    if let path = shown.path {
      facts.insert(("File", Table.Cell(path: path, .heading)), at: 0)
      facts.insert(("Type", Table.Cell(shown.message?.type.name ?? (shown.mail == nil ? "unreadable" : "mail"))), at: 1)
    }
    if let failure = shown.failure { facts.append(("Problem", Table.Cell(sentence(failure), .problem))) }
    let head = table.lines(facts)
    guard shown.failure == nil, !shown.modules.isEmpty else { return head }
    return head + [table.heading] + shown.modules.flatMap { table.lines(row($0)) }
  }

  static let columns: [Table.Column] = [
    Table.Column(title: "MODULE", width: 8), Table.Column(title: "NAME", width: 16...40, priority: 1),
    Table.Column(title: "SIZE", width: 7, priority: 2, alignsRight: true),
    Table.Column(title: "DIMENSIONS", width: 11, priority: 4),
    Table.Column(title: "LENGTH", width: 8, priority: 5, alignsRight: true),
    Table.Column(title: "PREVIEW", width: 10, priority: 3),
  ]

  private static func row(_ shown: ShownModule) -> Table.Row {
    let module = shown.module
    let pixels = module.width.flatMap { width in module.height.map { HumanNumbers.dimensions(width, $0) } }
    let problem = shown.failure.map(sentence) ?? (module.state == .ready ? nil : module.reason)
    return Table.Row(
      cells: [
        Table.Cell(module.kind.rawValue, .heading), Table.Cell(module.filename),
        Table.Cell(module.bytes.map(HumanNumbers.size)),
        Table.Cell(pixels, .quiet), Table.Cell(module.duration.map(HumanNumbers.duration)),
        Table.Cell(shows(module), module.state == .ready ? .plain : .warning),
      ],
      notes: [module.text.map { Table.Cell($0) }, problem.map { Table.Cell($0, .problem) }].compactMap { $0 }
        + (module.links ?? []).map { link in
          Table.Cell("\(link.kind.rawValue) \(link.target)", link.leadsTo == nil ? .quiet : .warning)
        })
  }

  /// What a thread shows for it.
  private static func shows(_ module: MessageModule) -> String? {
    guard module.kind != .text else { return nil }
    if module.state == .notDownloaded { return "download" }
    if module.thumbnail != nil { return "thumbnail" }
    if module.poster != nil { return "poster" }
    if module.cover != nil { return "cover" }
    return module.waveform != nil ? "waveform" : "icon"
  }

  private static func sentence(_ failure: MediaFailure) -> String { "\(failure.code.rawValue): \(failure.message)" }
}
