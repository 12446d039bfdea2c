internal import ArgumentParser

/// Texts and files of a message.
struct ComposeInputs: ParsableArguments {
  @Argument(help: ArgumentHelp("Files to attach; - is standard input.", valueName: "file"), completion: .file())
  var arguments: [PathArguments] = []

  @Option(help: "A text, between the files where it is given. Repeatable.")
  var text: [String] = []

  /// The files in their order.
  var files: [RawPath] { arguments.flatMap(\.paths) }

  func validate() throws {
    if files.count(where: \.isStandardInput) > 1 {
      throw ValidationError("Standard input (-) can be read once only.")
    }
    // More parts than any message has, and far more than any carrier takes.
    if files.count > 1_000 { throw ValidationError("A message does not take so many files: \(files.count).") }
  }
}
