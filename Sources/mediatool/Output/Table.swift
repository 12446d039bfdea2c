internal import FileSupport

/// Rows under fixed columns, so that the first row can be shown before the last is known.
struct Table: Sendable {
  /// The style of a cell.
  enum Style: Sendable {
    case plain, heading, quiet, warning, problem

    /// SGR numbers: bold, dim, yellow, red.
    fileprivate var escape: String? {
      switch self {
      case .plain: nil
      case .heading: "1"
      case .quiet: "2"
      case .warning: "33"
      case .problem: "31"
      }
    }
  }

  struct Column: Sendable {
    let title: String
    /// Width in cells; nil for the last column, which takes what it needs.
    let width: Int?
    var alignsRight = false
    /// Whether a long text is truncated at its beginning, for paths, whose end is more important.
    var keepsEnd = false
  }

  /// Text that is safe for a terminal: made so here, so that it cannot be omitted.
  struct Cell: Sendable {
    let text: String
    let style: Style

    init(_ text: String?, _ style: Style = .plain) {
      self.text = DisplayText.visible(text ?? "")
      self.style = style
    }

    init(path: PathBytes, _ style: Style = .plain) {
      text = DisplayText.visible(path)
      self.style = style
    }
  }

  let columns: [Column]
  let colors: Bool

  /// The line above the rows.
  var heading: String { line(columns.map { Cell($0.title, .heading) }) }

  /// One line, without its line end.
  func line(_ cells: [Cell]) -> String {
    var line = ""
    for (index, (column, cell)) in zip(columns, cells).enumerated() {
      let last = cells[(index + 1)...].allSatisfy(\.text.isEmpty)
      var text = cell.text
      if let width = column.width { text = DisplayWidth.fitted(text, to: width, keepingEnd: column.keepsEnd) }
      let space = String(repeating: " ", count: max(0, (column.width ?? 0) - DisplayWidth.of(text)))
      let painted = paint(text, cell.style)
      if column.alignsRight {
        line += space + painted
      } else {
        line += last ? painted : painted + space
      }
      if last { break }
      line += "  "
    }
    return line
  }

  private func paint(_ text: String, _ style: Style) -> String {
    guard colors, !text.isEmpty, let escape = style.escape else { return text }
    return "\u{1B}[\(escape)m\(text)\u{1B}[0m"
  }
}
