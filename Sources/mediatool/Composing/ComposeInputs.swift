internal import ArgumentParser
internal import MediaEngine

/// Texts and files of a message.
struct ComposeInputs: ParsableArguments {
  @OptionGroup var files: InputOptions

  @Option(help: "Add a text at this position between the files. Repeatable.")
  var text: [String] = []

  /// More parts than any message has, and far more than any carrier takes: a folder may hold millions.
  static let maximum = 1_000

  /// A piece of the message.
  enum Item {
    case text(String)
    case file(Input)
  }

  /// Texts and files in the order of the command line; a folder's files stand where it does, and those of the list behind all.
  func items(_ batch: Batch) throws -> [Item] {
    var items: [Item] = []
    func add(_ source: consuming InputSource) throws {
      while let input = try source.next(), batch.stop.signal == nil {
        items.append(.file(input))
        if items.count > Self.maximum {
          throw Fault(.usage, "too many texts and files: a message holds at most \(Self.maximum)")
        }
      }
      batch.tell(leftOut: source.leftOut)
    }
    let order = ComposeOrder(RawArguments.unbundled, texts: text, files: files.files)
    for item in order.items {
      switch item {
      case .text(let text): items.append(.text(text))
      case .argument(let number): try add(InputSource(files.files[number], of: files))
      }
    }
    if let list = try InputSource(listOf: files, stop: batch.stop) { try add(list) }
    return items
  }
}
