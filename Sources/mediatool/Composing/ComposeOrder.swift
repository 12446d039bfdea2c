internal import FileSupport

/// The order of texts and files on the command line, which the argument parser gives apart.
struct ComposeOrder: Equatable {
  /// A piece of the message.
  enum Item: Equatable {
    case text(String)
    /// The number of a file or a folder among those that were typed.
    case argument(Int)
  }

  private(set) var items: [Item] = []

  /// Options whose value stands behind them: it is no file, though it may be called like one.
  static let withValue: Set<String> = [
    "--to", "--subject", "--profile", "--output", "-o", "--jobs", "--files-from",
  ]

  /// - Parameters:
  ///   - arguments: What was typed.
  ///   - texts: The values of `--text` in their order.
  ///   - files: The files and folders in their order.
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
    // Whatever way they were given that is not seen here, none is lost.
    for text in texts { add(text: text) }
    items += (next..<files.count).map { .argument($0) }
  }
}
