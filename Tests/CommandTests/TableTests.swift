internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Tables fit the terminal") struct TableTests {
  /// The commands that print a table, with its columns.
  static let tables: [(name: String, columns: [Table.Column])] = [
    ("probe", ProbeTable.columns), ("thumbnail", ThumbnailTable.columns), ("batch", ShardListing.table.columns),
    ("check", CheckTable.columns), ("tray", TrayTable.columns), ("compose", ComposeTable.columns),
    ("modules", ModuleTable.columns), ("mail", MailTable.columns), ("messages", StoredThreadTable.table.columns),
    ("messages --show", StoredMessageTable.table.columns),
    ("scan --failures", FailureList.columns), ("find", ProbeTable.columns), ("locations", Locations.columns),
    ("locations --open", ProbeTable.columns), ("moments list", MomentRecord.columns),
    ("moments map", MomentClusterRecord.columns), ("trip list", TripRecord.columns),
    ("trip show", MomentRecord.columns),
    ("moderate list", ModerationRecord.columns), ("moderate blocked", BlockRecord.columns),
    ("moderate similar", SimilarRecord.columns), ("moderate blocked-images", ImageBlockRecord.columns),
    ("moderate held", HeldMomentRecord.columns), ("moderate held-trips", HeldTripRecord.columns),
    ("moderate unscannable", ScannedRecord.columns), ("moderate reports", ReportRecord.columns),
    ("moderate audit", AuditRecord.columns), ("moderate scan", ScannedRecord.columns),
  ]

  /// The commands that print JSON, sentences or nothing.
  static let others: Set<String> = [
    "set", "verify", "erase", "serve", "text", "doctor", "moments show", "moments post", "moments edit",
    "moments delete", "trip create", "trip edit", "trip add", "trip remove", "trip order", "trip delete", "trip path",
    "moderate show", "moderate block", "moderate unblock", "moderate block-image", "moderate unblock-image",
    "moderate quarantine", "moderate release", "moderate hold", "moderate protect", "moderate unprotect",
    "moderate dismiss", "moderate accept",
  ]

  @Test func `Every command that prints a table is in the list above`() {
    let actions = [
      "moments": ShowMoments.Action.allCases.map(\.rawValue), "trip": ShowTrips.Action.allCases.map(\.rawValue),
      "moderate": Moderate.Action.allCases.map(\.rawValue),
    ]
    let commands = Mediatool.configuration.subcommands.compactMap { $0.configuration.commandName }.flatMap { name in
      actions[name].map { $0.map { "\(name) \($0)" } } ?? [name]
    }
    #expect(commands.count > 40)
    let known = Self.others.union(Self.tables.map { $0.name.split(separator: " --").first.map(String.init) ?? "" })
    #expect(known == Set(commands))
  }

  @Test(
    "No line is wider than the terminal, and the most important columns stay", arguments: [20, 40, 60, 80, 100, 200])
  func widths(width: Int) {
    for (name, columns) in Self.tables {
      let table = Table(columns: columns, colors: false, width: width)
      let cells = columns.map { _ in Table.Cell(String(repeating: "日a", count: 200)) }
      let lines = table.lines(Table.Row(cells: cells, notes: [Table.Cell(String(repeating: "word ", count: 100))]))
      for line in lines + [table.heading] { #expect(DisplayWidth.of(line) <= width, "\(name): \(line)") }
      let shown = Table.layout(columns, width: width).map(\.column)
      for (index, column) in columns.enumerated() {
        // What is shown is never less important than what would fit in its place.
        let omitted = !shown.contains(index)
        #expect(!omitted || column.priority > 0, "\(name): \(column.title)")
      }
    }
  }

  @Test func `The columns of the probe table are fixed`() {
    for (width, titles) in [
      (60, ["NAME", "TYPE", "SIZE", "DIMENSIONS"]), (80, ["NAME", "TYPE", "SIZE", "DIMENSIONS", "LENGTH", "TAKEN"]),
      (100, ["NAME", "TYPE", "SIZE", "DIMENSIONS", "LENGTH", "TAKEN", "GPS"]),
      (200, ["NAME", "TYPE", "SIZE", "DIMENSIONS", "LENGTH", "TAKEN", "GPS", "CAMERA", "CODECS"]),
    ] {
      let shown = Table.layout(ProbeTable.columns, width: width).map { ProbeTable.columns[$0.column].title }
      #expect(shown == titles, "\(width)")
    }
    #expect(Table.layout(ProbeTable.columns, width: 100).first?.width == 36)
  }

  @Test("A text is broken between words, and a word that is longer than a line inside") func wrapping() {
    #expect(DisplayWidth.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(DisplayWidth.wrapped("short", to: 7) == ["short"])
    #expect(DisplayWidth.wrapped("", to: 7) == [""])
    #expect(DisplayWidth.wrapped("a 日本日本日本 b", to: 5) == ["a", "日本", "日本", "日本", "b"])
    #expect(DisplayWidth.wrapped("ab", to: 0) == ["a", "b"])
  }

  @Test("On a terminal of any size the lines fit", arguments: [60, 80, 100, 200], ["probe", "check", "compose"])
  func terminal(width: Int, verb: String) throws {
    let scratch = try Scratch()
    let name = String(repeating: "long name ", count: 12)
    for file in ["grey.jpg", "\(name).jpg"] {
      try FileManager.default.copyItem(atPath: Fixture.path("color/grey.jpg"), toPath: scratch(file).text)
    }
    let terminal = try PseudoTerminal(width: UInt16(width))
    let options: [PathBytes] = verb == "compose" ? ["--to", "+15551234567", "--dry-run"] : []
    let command = try Command(
      [PathBytes(verb)] + options + ["grey.jpg", PathBytes("\(name).jpg"), "none"], output: .file(terminal.path),
      environment: ["TERM": "xterm", "NO_COLOR": "1"], folder: scratch.path)
    _ = try command.finish()
    let lines = terminal.text().split(separator: "\r\n")
    for line in lines { #expect(DisplayWidth.of(line) <= width, "\(line)") }
    guard verb == "probe" else { return #expect(lines.count >= 3) }
    #expect(lines.count == 5)
    #expect(lines.last == "  notFound: The file does not exist.")
  }
}
