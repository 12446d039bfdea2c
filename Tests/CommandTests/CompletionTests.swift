internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

/// The installed completions, in the shells themselves.
@Suite("Shells complete commands, options, values and files") struct CompletionTests {
  /// What is typed before the tab, and the only word that fits; nil where no word does.
  private static let lines: [(typed: String, word: String?)] = [
    ("mediatool thu", "thumbnail"),
    ("mediatool help thu", "thumbnail"),
    ("mediatool probe --dig", "--digest"),
    ("mediatool probe --gravi", nil),
    ("mediatool thumbnail --fit cov", "cover"),
    ("mediatool thumbnail --upscale --size mess", "message"),
    ("mediatool find --kind pho", "photo"),
    ("mediatool trip cre", "create"),
    ("mediatool moments po", "post"),
    ("mediatool moments --audience fri", "friends"),
    ("mediatool moderate quar", "quarantine"),
    ("mediatool check --policy photo", "photo-tray"),
    ("mediatool compose --profile mms-3", "mms-300k"),
    ("mediatool compose --metadata ref", "refuse"),
    ("mediatool scan --renditions ava", "avatar"),
    ("mediatool serve --originals st", "strip"),
    ("mediatool serve --log-level warn", "warning"),
    ("mediatool text --national tur", "turkish"),
    ("mediatool probe holi", "holiday.jpg"),
    ("mediatool probe --json holi", "holiday.jpg"),
    ("mediatool compose --text hello --output mess", "message.mms"),
    ("mediatool scan alb", "albums/"),
  ]

  /// Options with their values in one word. bash splits it.
  private static let joined: [(typed: String, word: String?)] = [
    ("mediatool thumbnail --fit=cov", "--fit=cover"),
    ("mediatool thumbnail --upscale --size=mess", "--size=message"),
    ("mediatool serve --config=holi", "--config=holiday.jpg"),
  ]

  /// A folder to type in: `alb` begins the name of a file and of a folder.
  private static func folder() throws -> Scratch {
    let folder = try Scratch()
    for name in ["holiday.jpg", "message.mms", "albums.txt", "albums/IMG_0001.jpg"] { try folder.file(name) }
    return folder
  }

  private static func isInstalled(_ shell: String) -> Bool {
    if (try? Tool(shell, package: shell)) != nil { return true }
    print("skipped: \(shell) is not installed")
    return false
  }

  /// Runs a script of a shell in a new home folder.
  private func run(
    _ shell: String, _ options: [String], _ script: String, _ arguments: [String], home: Scratch, share: Scratch
  ) throws -> String {
    // fish completes only commands that are on the path.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let built = URL(fileURLWithPath: Command.executable).deletingLastPathComponent().path
    let settings = [
      "HOME=\(home.path.text)", "ZDOTDIR=\(home.path.text)", "XDG_DATA_DIRS=\(share.path.text):/usr/share", "TERM=dumb",
      "PATH=\(built):\(path)",
    ]
    let program = try Tool(shell, package: shell).executable.path
    let output = try Tool("env", package: "coreutils")
      .run(["-u", "XDG_CONFIG_HOME", "-u", "XDG_DATA_HOME"] + settings + [program] + options + [script] + arguments)
    #expect(output.status == 0, "\(shell): \(output.errors)")
    return output.text
  }

  @Test("bash completes from the definitions of the command") func bash() throws {
    let (share, folder) = (try InstalledShare.make(), try Self.folder())
    let script = share("bash-completion/completions/mediatool").text
    let function = try completer(script)
    for line in Self.lines {
      let words = line.typed.split(separator: " ").map(String.init)
      let code = #"""
        source "$1"; complete="$2"; cd "$3"; shift 3
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
        "$complete" mediatool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
        printf '%s\n' "${COMPREPLY[@]}"
        """#
      let settings = ["-c", code, "bash", script, function, folder.path.text]
      let answer = try Tool("bash", package: "bash").run(settings + words)
      let offered = answer.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      // Readline adds the slash of a folder.
      let expected = line.word.map { [$0.hasSuffix("/") ? String($0.dropLast()) : $0] } ?? []
      #expect(offered == expected, "\(line.typed): \(answer.errors)")
    }
  }

  /// The function that the script registers for the command.
  private func completer(_ script: String) throws -> String {
    let text = try String(contentsOfFile: script, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("complete ") })
    let words = line.split(separator: " ").map(String.init)
    return words[try #require(words.firstIndex(of: "-F")) + 1]
  }

  @Test(
    "fish completes from the definitions of the command",
    .enabled(if: CompletionTests.isInstalled("fish"), "fish is not installed"))
  func fish() throws {
    let (share, folder, home) = (try InstalledShare.make(), try Self.folder(), try Scratch())
    let lines = Self.lines + Self.joined
    let script = #"cd $argv[1]; for line in $argv[2..]; echo "> $line"; complete -C "$line"; end"#
    let output = try run(
      "fish", ["-c"], script, [folder.path.text] + lines.map(\.typed), home: home, share: share)
    var offered: [String: [String]] = [:]
    var typed = ""
    for line in output.split(separator: "\n") {
      if line.hasPrefix("> ") {
        typed = String(line.dropFirst(2))
        offered[typed] = []
      } else {
        // The description follows a tab.
        offered[typed]?.append(String(line.prefix { $0 != "\t" }))
      }
    }
    for line in lines { #expect(offered[line.typed] == (line.word.map { [$0] } ?? []), "\(line.typed)") }
  }

  @Test(
    "zsh completes from the definitions of the command",
    .enabled(if: CompletionTests.isInstalled("zsh"), "zsh is not installed"))
  func zsh() throws {
    let (share, folder, home) = (try InstalledShare.make(), try Self.folder(), try Scratch())
    let lines = Self.lines + Self.joined
    // An interactive shell on a pseudo-terminal. After the tab, Ctrl-G records the line and empties it.
    try home.file(
      ".zshrc",
      #"""
      fpath=('\#(share("zsh/site-functions").text)' $fpath)
      autoload -Uz compinit && compinit -u -D
      setopt no_auto_list no_beep
      cd '\#(folder.path.text)'
      record() { print -r -- "$BUFFER" >>~/lines; BUFFER=; print -n '%%ready%%' }
      zle-line-init() { print -n '%%ready%%' }
      zle -N record
      zle -N zle-line-init
      bindkey '^G' record
      """#)
    let script = #"""
      zmodload zsh/zpty
      zpty shell 'zsh -d -i'
      zpty -r shell shown '*%%ready%%*'
      for line; do
        zpty -w -n shell "$line"$'\t\a'
        zpty -r shell shown '*%%ready%%*'
      done
      zpty -d shell
      cat ~/lines
      """#
    let output = try run("zsh", ["-f", "-d", "-c"], script, ["zsh"] + lines.map(\.typed), home: home, share: share)
    let recorded = output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let expected = lines.map { line in
      line.word.map { line.typed.split(separator: " ").dropLast().joined(separator: " ") + " " + $0 } ?? line.typed
    }
    #expect(recorded == expected)
  }
}
