internal import FileSupport
internal import Mail
internal import MediaModel

/// A mail on a terminal: its header, then one row per part.
enum MailTable {
  static let columns: [Table.Column] = [
    Table.Column(title: "SECTION", width: 8...16), Table.Column(title: "TYPE", width: 16...28, priority: 2),
    Table.Column(title: "NAME", width: 16...40, priority: 1), Table.Column(title: "ROLE", width: 15, priority: 3),
    Table.Column(title: "SIZE", width: 8, priority: 4, alignsRight: true),
  ]

  static func lines(_ structure: MailStructure, _ place: MailRecord.Place) -> [String] {
    let table = Table(columns: columns)
    var facts: [(name: String, text: Table.Cell)] = [("File", Table.Cell(path: place.path, .heading))]
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { facts.append((name, Table.Cell(text))) }
    }
    add("Mail", place.number.map(String.init))
    add("From", structure.header?.from.joined(separator: ", "))
    add("To", structure.header?.to.joined(separator: ", "))
    add("Cc", structure.header?.cc.joined(separator: ", "))
    add("Subject", structure.header?.subject)
    add("Date", structure.header?.date)
    return table.lines(facts) + [table.heading]
      + MailInput.order(structure).flatMap { table.lines(row(structure.parts[$0])) } + [""]
  }

  static func lines(_ failure: MediaFailure, _ path: PathBytes) -> [String] {
    Table(columns: columns).lines([
      ("File", Table.Cell(path: path, .heading)),
      ("Problem", Table.Cell("\(failure.code.rawValue): \(failure.message)", .problem)),
    ])
  }

  private static func row(_ part: MailStructure.Part) -> Table.Row {
    var size = HumanNumbers.size(part.decodedSize.octets)
    if case .estimated = part.decodedSize { size = "≈ " + size }
    var notes: [Table.Cell] = []
    if part.isDamaged { notes.append(Table.Cell("damaged: octets are missing or wrong", .problem)) }
    if part.isOverLimit { notes.append(Table.Cell("over a limit: may contain parts that are not listed", .warning)) }
    return Table.Row(
      cells: [
        Table.Cell(part.section, .heading), Table.Cell(part.type.rawValue, .quiet), Table.Cell(part.name),
        Table.Cell(part.role?.rawValue), Table.Cell(part.isMultipart ? nil : size),
      ], notes: notes)
  }
}
