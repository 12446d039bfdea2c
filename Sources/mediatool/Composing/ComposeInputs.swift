internal import ArgumentParser
internal import MediaEngine

/// The texts and files of a message.
struct ComposeInputs: ParsableArguments {
  @OptionGroup var files: InputOptions

  @Option(help: "Add this text; texts and files appear in the message in the order of the command line. Repeatable.")
  var text: [String] = []

  /// More parts than any carrier accepts; limited because a folder may hold millions of files.
  static let maximum = 1_000

  /// An element of the message.
  enum Item {
    case text(String)
    case file(Input)
  }

  /// Texts and files in the order of the command line. The files of a folder replace it; those of the list come last.
  func items(_ batch: Batch) throws -> [Item] {
    var items: [Item] = []
    func add(_ source: consuming InputSource) throws {
      while let input = try source.next(), batch.stop.signal == nil {
        items.append(.file(input))
        if items.count > Self.maximum {
          throw Fault(.usage, "too many texts and files: a message can have at most \(Self.maximum)")
        }
      }
      batch.report(skipped: source.skipped)
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
