internal import MMSCodec
internal import MediaModel
internal import Messaging

/// A message on a terminal: its headers, then one row per module.
enum ModuleTable {
  /// The lines of a message.
  static func lines(_ shown: ShownMessage, width: Int = Terminal.width(1), colors: Bool = Terminal.usesColors(1))
    -> [String]
  {
    let headers = Table(
      columns: [Table.Column(title: "", width: 9), Table.Column(title: "", width: nil)], colors: colors)
    var lines = MessageSummary(shown).lines.map { name, text in
      headers.line([Table.Cell(name, .quiet), Table.Cell(text)])
    }
    if let path = shown.path {
      let what = shown.message?.type.name ?? "unreadable"
      let title = Table(
        columns: [Table.Column(title: "", width: what.count), Table.Column(title: "", width: nil)], colors: colors)
      lines.insert(title.line([Table.Cell(what, .heading), Table.Cell(path: path)]), at: 0)
    }
    if let failure = shown.failure {
      return lines + [headers.line([Table.Cell("error"), Table.Cell(sentence(failure), .problem)])]
    }
    guard !shown.modules.isEmpty else { return lines }
    let table = Table(columns: columns(width: width), colors: colors)
    return lines + [table.heading] + shown.modules.map { table.line(cells($0)) }
  }

  private static func columns(width: Int) -> [Table.Column] {
    [
      Table.Column(title: "MODULE", width: 8), Table.Column(title: "NAME", width: min(40, max(16, width / 4))),
      Table.Column(title: "SIZE", width: 9, alignsRight: true), Table.Column(title: "PIXELS", width: 11),
      Table.Column(title: "LENGTH", width: 7, alignsRight: true), Table.Column(title: "PREVIEW", width: 10),
      Table.Column(title: "TEXT, LINKS, PROBLEM", width: nil),
    ]
  }

  private static func cells(_ shown: ShownModule) -> [Table.Cell] {
    let module = shown.module
    let links = module.links.map { $0.map { " [\($0.kind.rawValue) \($0.target)]" }.joined() } ?? ""
    let pixels = module.width.flatMap { width in module.height.map { "\(width)×\($0)" } }
    let problem = shown.failure.map(sentence) ?? (module.state == .ready ? nil : module.reason)
    return [
      Table.Cell(module.kind.rawValue, .heading), Table.Cell(module.filename), Table.Cell(module.size),
      Table.Cell(pixels, .quiet), Table.Cell(module.duration.map(HumanNumbers.duration)),
      Table.Cell(shows(module), module.state == .ready ? .plain : .warning),
      Table.Cell((module.text ?? problem ?? "") + links, problem == nil ? .plain : .problem),
    ]
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
