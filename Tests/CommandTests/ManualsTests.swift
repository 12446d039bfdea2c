internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Manual pages") struct ManualsTests {
  @Test("Every command has a page with all of its options and statuses, which man reads without a warning") func pages()
    throws
  {
    let share = try InstalledShare.make()
    let list = try Command.run(["--help"]).output.matches(of: #/\n  ([a-z]+)(?:, [a-z]+)?  +[A-Z]/#)
    #expect(list.count == 21)
    for verb in list.map({ String($0.1) }) {
      let file = share("man/man1/mediatool-\(verb).1").text
      let page = try String(contentsOfFile: file, encoding: .utf8)
      let help = try Command.run([PathBytes(verb), "--help"]).output
      for match in help.matches(of: #/ (--[a-z0-9-]+)/#) {
        #expect(page.contains(match.1.replacing("-", with: "\\-")), "\(verb) \(match.1)")
      }
      for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "OPTIONS"] {
        #expect(page.contains(".SH \(heading)\n"), "\(verb): \(heading)")
      }
      #expect(!page.contains("\n\n"))
      guard let man = try? Tool("man", package: "man-db") else { continue }
      let shown = try man.run(["--warnings", "-E", "UTF-8", "-l", "-Tutf8", file])
      #expect(shown.errors == "", "\(verb)")
    }
    // Only arguments that may be missing are in brackets, as in the help.
    let messages = try String(contentsOfFile: share("man/man1/mediatool-messages.1").text, encoding: .utf8)
    #expect(messages.contains("\n\\fIdir\\fR\n"))
    let probe = try String(contentsOfFile: share("man/man1/mediatool-probe.1").text, encoding: .utf8)
    #expect(probe.contains("\n[\\fIfile\\fR ...]\n"))
    // A section of actions keeps its lines.
    let trip = try String(contentsOfFile: share("man/man1/mediatool-trip.1").text, encoding: .utf8)
    #expect(trip.contains(".SH ACTIONS\n.nf\n  list [WORD ...]  "))
  }
}
