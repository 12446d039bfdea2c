internal import AttachmentPolicy

/// The table of `check`.
enum CheckTable {
  static func columns(width: Int) -> [Table.Column] {
    [
      Table.Column(title: "NAME", width: min(48, max(16, width / 3)), keepsEnd: true),
      Table.Column(title: "MAY GO", width: 7), Table.Column(title: "WHY NOT", width: nil),
    ]
  }

  /// A row a file; of several reasons the sentences in a row.
  static func rows(_ record: CheckRecord) -> [[Table.Cell]] {
    zip(record.verdict.files, record.paths).map { file, path in
      let name = String(decoding: path.lastComponent, as: UTF8.self)
      let answer = file.accepted ? (file.shrinks == true ? "smaller" : "yes") : "no"
      let why = file.reasons.map { RefusalSentence.text(record.named($0), name: name) }.joined(separator: "; ")
      return [
        Table.Cell(path: path), Table.Cell(answer, file.accepted ? .plain : .problem), Table.Cell(why),
      ]
    }
  }

  /// What would make the rest go, a line each.
  static func suggestions(_ record: CheckRecord) -> [String] {
    record.verdict.suggestions.map { suggestion in
      let text = RefusalSentence.text(suggestion) { String(decoding: record.path(of: $0).lastComponent, as: UTF8.self) }
      return "To make the rest go: \(DisplayText.visible(text))"
    }
  }
}
