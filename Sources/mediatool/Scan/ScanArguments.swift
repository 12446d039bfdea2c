internal import ArgumentParser
internal import LibraryScanner
internal import MediaModel

/// The value of `--renditions`: named sizes, separated by commas.
struct RenditionNames: CheckedArgument {
  let asked: Set<String>

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ RenditionRequest.named($0) != nil }) else { return nil }
    asked = Set(names)
  }

  static var allowed: String {
    "a comma-separated list of \(names.joined(separator: ", "))"
  }

  static var names: [String] { RenditionRequest.named.map(\.name) }
}

/// A pattern with the syntax of `.gitignore`.
struct PatternArgument: ExpressibleByArgument {
  let pattern: MediaScanner.Options.Pattern

  init?(argument: String) {
    guard let pattern = MediaScanner.Options.Pattern(bytes: RawArguments.bytes(of: argument)) else { return nil }
    self.pattern = pattern
  }
}
