internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Manual pages and completions") struct ManualsTests {
  /// Everything that `make install` puts below the share folder, made by the command that was built with these tests.
  private func share() throws -> Scratch {
    let scratch = try Scratch()
    let script = Corpus.packageRoot.appendingPathComponent("scripts/manuals").path
    let made = try Tool("bash", package: "bash").run([script, Command.executable, scratch.path.text])
    #expect(made.status == 0, "\(made.errors)")
    return scratch
  }

  @Test("Every verb has a page with all of its options and statuses, which man reads without a warning") func pages()
    throws
  {
    let share = try share()
    let list = try Command.run(["--help"]).output.matches(of: #/\n  ([a-z]+)(?:, [a-z]+)?  +[A-Z]/#)
    #expect(list.count == 20)
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
    // A section of actions keeps its lines.
    let trip = try String(contentsOfFile: share("man/man1/mediatool-trip.1").text, encoding: .utf8)
    #expect(trip.contains(".SH ACTIONS\n.nf\n  list [WORD ...]  "))
  }

  @Test("bash completes verbs, options and values from the definitions") func bash() throws {
    let share = try share()
    let script = share("bash-completion/completions/mediatool").text
    for (words, expected) in [
      (["mediatool", "thu"], "thumbnail"), (["mediatool", "probe", "--dig"], "--digest"),
      (["mediatool", "thumbnail", "--fit", "cov"], "cover"), (["mediatool", "thumbnail", "--size", "gri"], "grid"),
      (["mediatool", "find", "--kind", "pho"], "photo"),
    ] {
      let typed = words.map { "'\($0)'" }.joined(separator: " ")
      let code = """
        source '\(script)'
        COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count - 1); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        \(try completer(script)) mediatool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let answer = try Tool("bash", package: "bash").run(["-c", code])
      #expect(
        answer.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.contains(expected),
        "\(words): \(answer.text) \(answer.errors)")
    }
    for name in ["zsh/site-functions/_mediatool", "fish/vendor_completions.d/mediatool.fish"] {
      let text = try String(contentsOfFile: share(name).text, encoding: .utf8)
      for verb in ["probe", "thumbnail", "scan"] { #expect(text.contains(verb)) }
    }
  }

  /// The function that the script registers for the command.
  private func completer(_ script: String) throws -> String {
    let text = try String(contentsOfFile: script, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("complete ") })
    let words = line.split(separator: " ").map(String.init)
    return words[try #require(words.firstIndex(of: "-F")) + 1]
  }
}
