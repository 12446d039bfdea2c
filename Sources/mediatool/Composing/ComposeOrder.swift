internal import FileSupport

/// The order of texts and files on the command line, which the argument parser returns separately.
struct ComposeOrder: Equatable {
  /// An element of the message.
  enum Item: Equatable {
    case text(String)
    /// Index of a file or folder among those given as arguments.
    case argument(Int)
  }

  private(set) var items: [Item] = []

  /// Options with a separate value, which is not a file even if a file has that name.
  static let withValue: Set<String> = [
    "--to", "--subject", "--profile", "--output", "-o", "--jobs", "-j", "--files-from", "--metadata",
  ]

  /// - Parameters:
  ///   - arguments: The arguments as typed.
  ///   - texts: The values of `--text`, in order.
  ///   - files: The files and folders, in order.
  init(_ arguments: [String], texts: [String], files: [PathBytes]) {
    var texts = texts[...]
    var next = 0
    var isOver = false
    var rest = arguments[...]
    func add(text: String) { items.append(.text(String(decoding: RawArguments.bytes(of: text), as: UTF8.self))) }
    while let argument = rest.popFirst() {
      if !isOver, argument == "--" {
        isOver = true
      } else if !isOver, argument == "--text" || argument.hasPrefix("--text=") {
        if argument == "--text" { _ = rest.popFirst() }
        if let text = texts.popFirst() { add(text: text) }
      } else if !isOver, Self.withValue.contains(argument) {
        _ = rest.popFirst()
      } else if next < files.count, RawArguments.bytes(of: argument) == files[next].bytes {
        items.append(.argument(next))
        next += 1
      }
    }
    // Texts and files that were not found among the arguments are appended, so that none is lost.
    for text in texts { add(text: text) }
    items += (next..<files.count).map { .argument($0) }
  }
}
