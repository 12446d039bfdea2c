internal import FileSupport
internal import Foundation
internal import Testing

@testable internal import MediatoolCommand

@Suite("Output for people") struct DisplayTests {
  @Test(arguments: [
    ("photo.jpg", "photo.jpg"), ("é 日本 👩‍👧", "é 日本 👩‍👧"), ("a\nb\tc\rd", #"a\nb\tc\rd"#), (#"a\n"#, #"a\\n"#),
    ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("\u{9B}31m", #"\u{9B}31m"#), ("\u{7F}", #"\u{7F}"#), ("\0", #"\u{0}"#),
    ("gpj.\u{202E}exe", #"gpj.\u{202E}exe"#), ("\u{2066}a\u{2069}", #"\u{2066}a\u{2069}"#), ("\u{200B}", #"\u{200B}"#),
    ("\u{2028}", #"\u{2028}"#), ("\u{E000}", #"\u{E000}"#), ("\u{E0041}", #"\u{E0041}"#), ("\u{FEFF}", #"\u{FEFF}"#),
  ])
  func `Control characters are written out`(text: String, visible: String) {
    #expect(DisplayText.visible(text) == visible)
    #expect(DisplayText.visible(PathBytes(text)) == visible)
  }

  @Test func `Bytes that are not UTF-8 are written out`() {
    #expect(DisplayText.visible(PathBytes([0x63, 0xE9, 0x0A, 0xFF, 0xC3, 0xA9])) == #"c\xE9\n\xFFé"#)
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｗ", 2), ("한글", 4), ("👩‍👧", 2), ("🇪🇺", 2), ("❤️", 2),
    ("❤", 1),
    ("×…", 2), ("नि", 1), ("\u{20000}", 2),
  ])
  func `Width is counted in cells`(text: String, cells: Int) {
    #expect(DisplayWidth.of(text) == cells)
  }

  @Test func `A text that is too wide is cut between characters`() {
    #expect(DisplayWidth.fitted("photo.jpg", to: 9, keepingEnd: true) == "photo.jpg")
    #expect(DisplayWidth.fitted("photo.jpg", to: 6, keepingEnd: true) == "…o.jpg")
    #expect(DisplayWidth.fitted("photo.jpg", to: 6, keepingEnd: false) == "photo…")
    // Half a character is no character.
    #expect(DisplayWidth.fitted("日本語", to: 4, keepingEnd: false) == "日…")
    #expect(DisplayWidth.fitted("日本語", to: 1, keepingEnd: true) == "…")
  }

  /// Swift finds the last character of a run of flags by reading the whole run.
  @Test func `The time for a long text is linear`() {
    let flags = String(repeating: "\u{1F1E6}", count: 100_000)
    #expect(DisplayWidth.fitted(flags + ".jpg", to: 7, keepingEnd: true) == "…🇦🇦.jpg")
  }

  @Test func `Columns are aligned, whatever the script`() {
    let table = Table(
      columns: [
        Table.Column(title: "NAME", width: 8, keepsEnd: true), Table.Column(title: "SIZE", width: 6, alignsRight: true),
        Table.Column(title: "REST", width: 4...40),
      ], colors: false, width: 80)
    #expect(table.heading == "NAME        SIZE  REST")
    #expect(table.line([Table.Cell("日本.jpg"), Table.Cell("12 B"), Table.Cell("x")]) == "日本.jpg    12 B  x")
    #expect(table.line([Table.Cell("e\u{301}"), Table.Cell("1 B"), Table.Cell("x")]) == "e\u{301}            1 B  x")
    #expect(table.line([Table.Cell("0123456789"), Table.Cell(nil), Table.Cell("x")]) == "…3456789          x")
    // No spaces at the end of a line.
    #expect(table.line([Table.Cell("a"), Table.Cell(nil), Table.Cell(nil)]) == "a")
  }

  @Test func `Colors are around the text, and only where they are wanted`() {
    let columns = [Table.Column(title: "A", width: 3), Table.Column(title: "B", width: 6...20)]
    let cells = [Table.Cell("x", .quiet), Table.Cell("no\u{1B}", .problem)]
    #expect(Table(columns: columns, colors: false, width: 80).line(cells) == #"x    no\u{1B}"#)
    #expect(
      Table(columns: columns, colors: true, width: 80).line(cells)
        == "\u{1B}[2mx\u{1B}[0m    \u{1B}[31mno\\u{1B}\u{1B}[0m")
  }

  @Test func `A table in a pipe has neither colors nor escape sequences`() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a\u{1B}[31m\u{202E}.txt")
    let result = try Command.run(["probe", "--table", file, "none"], environment: ["COLUMNS": "200"])
    #expect(!result.output.unicodeScalars.contains { $0 != "\n" && !DisplayText.isHarmless($0) })
    #expect(result.output.contains(#"a\u{1B}[31m\u{202E}.txt"#))
    #expect(result.output.contains("notFound: The file does not exist."))
  }
}
