internal import ArgumentParser
internal import FileSupport

/// Checks of the command line that come before the argument parser.
enum TypedArguments {
  /// Checks the arguments as they were typed, before they are parsed.
  /// - Parameters:
  ///   - verbs: The names and aliases of all commands.
  ///   - exists: Whether a path exists.
  /// - Throws: `ValidationError` for a file name that would be read as an option, and for a command that does not exist.
  static func check(
    _ arguments: [String], verbs: [String], exists: (PathBytes) -> Bool = { FileStatus.exists(at: $0) }
  ) throws {
    try checkNames(arguments, exists: exists)
    try checkVerb(arguments, verbs: verbs, exists: exists)
  }

  /// Refuses file names that the parser would take for options. When a shell expands `*`, a file called `-h` or `--in-process` becomes an
  /// option that nobody typed. So an option that is also the name of a file in the working folder is refused if another argument is the
  /// name of a file there too. A request for help is refused always, because help instead of results has status 0.
  private static func checkNames(_ arguments: [String], exists: (PathBytes) -> Bool) throws {
    let options = arguments.prefix { $0 != "--" }
    let namesakes = options.filter { $0.hasPrefix("-") && $0 != "-" && exists(path($0)) }
    guard let name = namesakes.first else { return }
    let asksForHelp: Set<String> = ["-h", "-help", "--help", "--version"]
    let isShortName = { (argument: String) in
      !argument.hasPrefix("-") && !argument.contains("/") && argument != "." && argument != ".."
    }
    guard
      namesakes.contains(where: asksForHelp.contains) || namesakes.count > 1
        || arguments.dropFirst().contains(where: { isShortName($0) && exists(path($0)) })
    else { return }
    throw ValidationError("'\(name)' is an option, and also the name of a file in the current folder. \(wayOut(name))")
  }

  /// Refuses help that nobody asked for: `-photo.jpg` contains the flag -h.
  static func checkHelp(_ arguments: [String]) throws {
    let options = arguments.prefix { $0 != "--" }
    guard !options.contains(where: { ["-h", "-help", "--help", "help"].contains($0) }) else { return }
    let name = options.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 && $0.contains("h") }
    guard let name else { return }
    throw ValidationError("Unknown option '\(name)'. \(wayOut(name))")
  }

  /// What to report instead of an input or output that is missing: an option that does not exist, which the user may have meant as a file name. The
  /// parser checks what is missing first, so this repeats it with what is missing added.
  /// - Parameters:
  ///   - message: The parser's message.
  ///   - parse: Parses arguments, and returns the message of the error; nil if there is none.
  /// - Returns: The arguments whose parsing shows the unknown option; nil if that is not the problem.
  static func completed(
    _ arguments: [String], after message: String, parse: ([String]) -> String?
  ) -> [String]? {
    let missing = ["Missing input": "./x", "Missing output": "--dry-run"].first { message.hasPrefix($0.key) }
    guard let missing else { return nil }
    // Before `--`, after which an option would be a name.
    let options = arguments.prefix { $0 != "--" }
    let completed = options + [missing.value] + arguments.dropFirst(options.count)
    return parse(Array(completed))?.hasPrefix("Unknown option '") == true ? Array(completed) : nil
  }

  private static func checkVerb(_ arguments: [String], verbs: [String], exists: (PathBytes) -> Bool) throws {
    guard var name = arguments.first, !name.isEmpty, !name.hasPrefix("-") else { return }
    if name == "help" {
      guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return }
      name = arguments[1]
    }
    guard name != "help", !verbs.contains(name) else { return }
    let isFile = arguments[0] != "help" && exists(path(name))
    let suggestion =
      isFile ? " To probe that file: mediatool probe \(name)" : Suggestion.sentence(for: name, among: verbs)
    throw ValidationError("'\(name)' is not a command.\(suggestion) `mediatool --help` lists the commands.")
  }

  /// How to write a name that begins with a dash.
  static func wayOut(_ name: String) -> String {
    "Write a file name that begins with a dash as ./\(name), or put -- before the file names."
  }

  /// The commands that take no file names as arguments.
  private static let withoutFiles: Set<String> = ["serve", "doctor", "text", "verify", "locations", "help"]

  /// A line to add to the parser's message; empty if there is nothing to add.
  /// - Parameter verb: The first argument, if any.
  static func hint(for message: String, verb: String?) -> String {
    let hasWayOut = message.contains("Write a file name that begins with a dash")
    if message.hasPrefix("Unknown option '-") {
      return hasWayOut || verb.map { withoutFiles.contains($0) } ?? false ? "" : "\n\(wayOut("NAME"))"
    }
    // The value 'fil' is invalid for '--fit <fit>'. Please provide one of 'contain' and 'cover'.
    let quoted = message.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    guard message.contains("Please provide one of"), quoted.count > 2 else { return "" }
    let suggestion = Suggestion.sentence(for: quoted[0], among: quoted[2...])
    return suggestion.isEmpty ? "" : "\n\(suggestion.dropFirst())"
  }

  private static func path(_ argument: String) -> PathBytes { PathBytes(RawArguments.bytes(of: argument)) }
}

extension FileStatus {
  /// Whether a path exists; a broken link exists too.
  static func exists(at path: PathBytes) -> Bool {
    !path.hasNUL && (try? FileStatus(at: path, followsLinks: false)) != nil
  }
}
