internal import FileSupport
internal import MalwareScanning
internal import MediaLibrary

/// A file whose content is not clean, in JSON.
struct ScannedRecord: Encodable {
  let file: FileID
  let path: PathBytes
  let verdict: Moderation.Verdict

  private enum Keys: CodingKey { case file, content, verdict }

  func encode(to encoder: any Encoder) throws {
    try PathKeys.encode(path, as: "path", to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(file, forKey: .file)
    try container.encode("\(verdict.content)", forKey: .content)
    try container.encode(VerdictRecord(verdict), forKey: .verdict)
  }

  /// A record per file that has the content.
  static func all(_ verdict: Moderation.Verdict, in library: Library) throws -> [ScannedRecord] {
    try library.moderation.files(of: verdict.content).compactMap { id in
      try library.catalogue.file(id).map { ScannedRecord(file: id, path: $0.stamp.path, verdict: verdict) }
    }
  }

  static let columns = [
    Table.Column(title: "FILE", width: 8, priority: 1, alignsRight: true), Table.Column(title: "STATE", width: 11),
    Table.Column(title: "MALWARE OR REASON", width: 17...40),
    Table.Column(title: "PATH", width: 10...60, keepsEnd: true),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell("\(file.rawValue)"),
      Table.Cell(verdict.state.rawValue, verdict.state == .infected ? .problem : .warning),
      Table.Cell(verdict.detail), Table.Cell(path: path),
    ]
  }
}

/// Prints the verdicts of a scan as they are found.
struct ScannedOutput: Sendable {
  let library: Library
  let showsTable: Bool
  private let writer = ResultWriter()
  private let table = Table(columns: ScannedRecord.columns)

  init(library: Library, showsTable: Bool) { (self.library, self.showsTable) = (library, showsTable) }

  func begin() throws { if showsTable { try writer.write(line: table.heading) } }

  /// Prints a verdict with the files that have the content.
  func write(_ verdict: Moderation.Verdict) throws {
    for record in try ScannedRecord.all(verdict, in: library) {
      try writer.write(line: showsTable ? table.line(record.cells) : JSONLine.text(record))
    }
  }
}

/// `--clamd`: where a clamd listens.
struct ClamdArgument: CheckedArgument {
  let value: ClamdScanner.Address

  init?(argument: String) {
    guard let value = ClamdScanner.Address(argument) else { return nil }
    self.value = value
  }

  static var allowed: String { "unix: with an absolute path, or tcp:HOST:PORT" }
}

/// A file content that is named by its digest or by a file that has it.
enum ContentArgument {
  /// The digest. A file that is not in the library, or of which the library has no digest, is reported.
  static func content(of name: PathBytes, in library: Library) throws -> ContentDigest? {
    if let content = ContentDigest(hexadecimal: name.text) { return content }
    guard let id = try LibraryPath.id(of: name, in: library.catalogue) else { return nil }
    if let content = try library.catalogue.file(id)?.digest { return content }
    Diagnostics.note(
      "the library has no digest of \(DisplayText.visible(name)); scan its folder with --digest first")
    return nil
  }
}
