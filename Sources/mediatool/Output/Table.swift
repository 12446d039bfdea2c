internal import FileSupport
internal import Glibc

/// Rows under columns that fit the terminal, so that the first can be shown before the last is known.
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
    /// Cells at least and at most. Columns share what room is left.
    let width: ClosedRange<Int>
    /// Where there is no room for all, columns of a higher number are omitted first; those of 0 never.
    let priority: Int
    let alignsRight: Bool
    /// Whether a long text is truncated at its beginning, for paths, whose end is more important.
    let keepsEnd: Bool

    init(
      title: String, width: ClosedRange<Int>, priority: Int = 0, alignsRight: Bool = false, keepsEnd: Bool = false
    ) {
      (self.title, self.width, self.priority) = (title, width, priority)
      (self.alignsRight, self.keepsEnd) = (alignsRight, keepsEnd)
    }

    /// A column that is not narrower or wider with its content.
    init(title: String, width: Int, priority: Int = 0, alignsRight: Bool = false, keepsEnd: Bool = false) {
      self.init(
        title: title, width: width...width, priority: priority, alignsRight: alignsRight, keepsEnd: keepsEnd)
    }
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

  /// The cells of the columns, and what has lines of its own below them: a problem, a text.
  struct Row: Sendable {
    var cells: [Cell]
    var notes: [Cell] = []
  }

  let columns: [Column]
  let colors: Bool
  private let width: Int?

  /// - Parameters:
  ///   - colors: By default where the terminal has them.
  ///   - width: Cells of a line; nil for those that the terminal has when the line is made.
  init(columns: [Column], colors: Bool = Terminal.usesColors(STDOUT_FILENO), width: Int? = nil) {
    (self.columns, self.colors, self.width) = (columns, colors, width)
  }

  /// The line above the rows.
  var heading: String { line(columns.map { Cell($0.title, .heading) }) }

  /// The lines of a row, without their ends.
  func lines(_ row: Row) -> [String] {
    let room = (width ?? Terminal.width(STDOUT_FILENO)) - Self.indent.count
    return [line(row.cells)]
      + row.notes.flatMap { note in
        DisplayWidth.wrapped(note.text, to: room).map { Self.indent + paint($0, note.style) }
      }
  }

  /// One line, without its line end.
  func line(_ cells: [Cell]) -> String {
    let shown = Self.layout(columns, width: width ?? Terminal.width(STDOUT_FILENO))
    let last = shown.lastIndex { !cells[$0.column].text.isEmpty } ?? 0
    var line = ""
    for (place, (index, width)) in shown.enumerated().prefix(last + 1) {
      let (column, cell) = (columns[index], cells[index])
      let text = DisplayWidth.fitted(cell.text, to: width, keepingEnd: column.keepsEnd)
      let space = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
      let painted = paint(text, cell.style)
      line += column.alignsRight ? space + painted : place == last ? painted : painted + space
      if place < last { line += "  " }
    }
    return line
  }

  /// Which columns are shown in a line of so many cells, and how wide: the important ones first, and the room that is left shared out.
  static func layout(_ columns: [Column], width: Int) -> [(column: Int, width: Int)] {
    var used = -gap
    var kept: Set<Int> = []
    for (index, column) in columns.enumerated().sorted(by: { $0.element.priority < $1.element.priority }) {
      var needed = used + gap + column.width.lowerBound
      // An extra column does not come at the price of names that cannot be read.
      if column.priority >= extra {
        for other in kept {
          let width = columns[other].width
          needed += min(width.upperBound, max(width.lowerBound, readable)) - width.lowerBound
        }
      }
      guard column.priority == 0 || needed <= width else { continue }
      kept.insert(index)
      used += gap + column.width.lowerBound
    }
    var widths = columns.map(\.width.lowerBound)
    // Even those that always stay may be too many: the widest gives way.
    while used > width, let widest = kept.max(by: { widths[$0] < widths[$1] }), widths[widest] > leastWidth {
      widths[widest] -= 1
      used -= 1
    }
    while used < width {
      let open = kept.sorted().filter { widths[$0] < columns[$0].width.upperBound }
      guard !open.isEmpty else { break }
      let share = max(1, (width - used) / open.count)
      for index in open where used < width {
        let more = min(share, columns[index].width.upperBound - widths[index], width - used)
        widths[index] += more
        used += more
      }
    }
    return kept.sorted().map { ($0, widths[$0]) }
  }

  private static let gap = 2
  /// From this priority on, a column is only shown where all others have ``readable`` cells.
  private static let extra = 6
  private static let readable = 36
  private static let leastWidth = 4
  private static let indent = "  "

  private func paint(_ text: String, _ style: Style) -> String {
    guard colors, !text.isEmpty, let escape = style.escape else { return text }
    return "\u{1B}[\(escape)m\(text)\u{1B}[0m"
  }

  /// Names and what stands behind them, a line each; a text that is too long goes on below its beginning.
  func lines(_ facts: [(name: String, text: Cell)]) -> [String] {
    let name = min(16, facts.map { DisplayWidth.of($0.name) }.max() ?? 0)
    let room = max(16, (width ?? Terminal.width(STDOUT_FILENO)) - name - Self.gap)
    return facts.flatMap { fact in
      DisplayWidth.wrapped(fact.text.text, to: room).enumerated().map { number, text in
        let shown = number == 0 ? DisplayWidth.fitted(fact.name, to: name, keepingEnd: false) : ""
        let space = String(repeating: " ", count: name - DisplayWidth.of(shown) + Self.gap)
        return paint(shown, .quiet) + space + paint(text, fact.text.style)
      }
    }
  }
}
