internal import AttachmentPolicy
internal import FileSupport

/// What `check` prints on a terminal: whether each file is allowed, and why not.
enum CheckTable {
  static let columns: [Table.Column] = [
    Table.Column(title: "NAME", width: 16...64, keepsEnd: true), Table.Column(title: "ALLOWED", width: 7),
  ]

  /// One row per file, with a line for each reason.
  static func rows(_ record: CheckRecord) -> [Table.Row] {
    zip(record.verdict.files, record.paths).map { file, path in
      let answer = file.accepted ? (file.shrinks == true ? "resized" : "yes") : "no"
      return Table.Row(
        cells: [Table.Cell(path: path), Table.Cell(answer, file.accepted ? .plain : .problem)],
        notes: sentences(file, path, record).map { Table.Cell($0, .problem) })
    }
  }

  /// Every reason of every file, a line each.
  static func refusals(_ record: CheckRecord) -> [String] {
    zip(record.verdict.files, record.paths).flatMap { sentences($0, $1, record) }
  }

  private static func sentences(_ file: Verdict.File, _ path: PathBytes, _ record: CheckRecord) -> [String] {
    file.reasons.map { reason in
      var reason = reason
      if case .duplicate(let original) = reason { reason = .duplicate(of: .init(name(record.path(of: original)))) }
      return RefusalSentence.text(reason, name: name(path))
    }
  }

  /// Suggestions that would make the other files acceptable, one per line.
  static func suggestions(_ record: CheckRecord) -> [String] {
    record.verdict.suggestions.map { suggestion in
      let text = RefusalSentence.text(suggestion) { name(record.path(of: $0)) }
      let files = if case .drop = suggestion { "the other files" } else { "all files" }
      return "To send \(files): \(DisplayText.visible(text))"
    }
  }

  /// The result in one line.
  static func summary(_ verdict: Verdict) -> String {
    let going = verdict.files.count(where: \.accepted)
    let left = verdict.remaining.map { ", \($0) more can be added" } ?? ""
    return "\(going) of \(RefusalSentence.counted(verdict.files.count, "file")) can be sent\(left)"
  }

  /// A file's name for a sentence: without folders, truncated at its beginning.
  private static func name(_ path: PathBytes) -> String {
    DisplayWidth.fitted(String(decoding: path.lastComponent, as: UTF8.self), to: 40, keepingEnd: true)
  }
}
