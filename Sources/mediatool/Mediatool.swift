internal import ArgumentParser
internal import FileSupport
internal import Glibc

/// The program, with one file per command.
struct Mediatool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mediatool",
    abstract:
      "Inspect media files, make thumbnails, and check whether files can be sent in a chat, an MMS or an e-mail.",
    discussion: """
      EXAMPLES
        mediatool probe photo.jpg
        mediatool thumbnail Photos -o small --size grid
        mediatool check beach.mov --policy mattermost
        mediatool tray Photos --html tray.html
        mediatool compose --to +15551234567 --text "Hello" beach.jpg -o a.mms
        mediatool modules received.mms --html message.html
        mediatool mail message.eml
        mediatool messages ~/App/messages
        mediatool scan Photos
        mediatool serve
        mediatool doctor
      """,
    version: Version.line,
    // Each states its name; deriving it from the type takes a sixth of the time of `--help`.
    subcommands: [
      Probe.self, Thumbnail.self, MakeShards.self, Check.self, ShowTray.self, Compose.self, ShowModules.self,
      ShowMail.self, ShowMessages.self, Scan.self, Find.self, Locations.self, SetLabels.self, ShowMoments.self,
      ShowTrips.self, Moderate.self, Verify.self, Erase.self, Serve.self, Text.self, Doctor.self,
    ])

  /// The names and aliases of the commands.
  private static var verbs: [String] {
    configuration.subcommands.flatMap { verb in
      [verb.configuration.commandName].compactMap { $0 } + verb.configuration.aliases
    }
  }

  /// Runs the command to its end.
  static func runToEnd() -> Never {
    // Before anything else, for it may end soon.
    _ = RunMonitor.parent
    let typed = RawArguments.unbundled
    // The parser takes longer than everything else that happens here.
    if typed == ["--version"] {
      print(Version.line)
      Glibc.exit(ExitStatus.done.rawValue)
    }
    Decoders.startEarly(for: typed)
    do {
      try TypedArguments.check(typed, verbs: verbs)
      var command = try parseAsRoot(RawArguments.ofThisProcess)
      try command.run()
      Glibc.exit(ExitStatus.done.rawValue)
    } catch let fault as Fault {
      Diagnostics.say(fault.message)
      Glibc.exit(fault.status.rawValue)
    } catch let thrown {
      var error = thrown
      let help = help(requestedBy: error)
      if help != nil || exitCode(for: error).isSuccess {
        do {
          try TypedArguments.checkHelp(RawArguments.unbundled)
          guard let help else { exit(withError: thrown) }
          print(help)
          Glibc.exit(ExitStatus.done.rawValue)
        } catch let wrong { error = wrong }
      } else if let unknown = unknownOption(behind: error) {
        error = unknown
      }
      let status = exitCode(for: error)
      // The message repeats the arguments, which may be untrusted text from a script.
      let hint = TypedArguments.hint(for: message(for: error), verb: RawArguments.unbundled.first)
      let lines = (fullMessage(for: error) + hint).split(separator: "\n", omittingEmptySubsequences: false)
      let text = lines.map { DisplayText.visible(PathBytes(RawArguments.bytes(of: String($0)))) }.joined(
        separator: "\n")
      if !text.isEmpty { Diagnostics.write(text + "\n") }
      Glibc.exit(status.rawValue)
    }
  }

  /// The help that was requested; nil for another error. The parser renders it again for each question about its error, and rendering takes longer than
  /// parsing.
  private static func help(requestedBy error: any Error) -> String? {
    let text = fullMessage(for: error)
    return text.hasPrefix("OVERVIEW: ") ? text : nil
  }

  /// The error for an option that does not exist, if it was reported as a missing file.
  private static func unknownOption(behind error: any Error) -> (any Error)? {
    func failure(_ arguments: [String]) -> (any Error)? {
      do { _ = try parseAsRoot(RawArguments.bundled(arguments)) } catch { return error }
      return nil
    }
    let completed = TypedArguments.completed(RawArguments.unbundled, after: message(for: error)) { arguments in
      failure(arguments).map { message(for: $0) }
    }
    return completed.flatMap(failure)
  }
}
