internal import FileSupport
internal import MediaModel
internal import Messaging

/// Writes the parts of messages into a folder: each file under the safe name that its module has, each text as UTF-8.
///
/// A part's own name is untrusted and never becomes a path: `FileNames` has no slash, no leading dot and no control character, and
/// is unique in the message. Nor does it choose which file is replaced: none is; a name that exists gets a number.
struct PartWriter {
  let folder: OutputFolder
  /// Whether every message has a folder of its own in the folder, because there are several.
  let separatesMessages: Bool

  /// Writes the parts of a message, and records where, or why not.
  func write(_ message: inout ShownMessage) throws(Fault) {
    let prefix = separatesMessages ? message.outputName + "/" : ""
    var names = TextNames(taken: message.modules.compactMap(\.module.filename))
    for index in message.modules.indices {
      guard let content = message.modules[index].content else { continue }
      let name = message.modules[index].module.filename ?? names.next()
      switch try folder.writeNew(Array(content), to: prefix + name) {
      case .success(let path): message.modules[index].written = path
      case .failure(let failure): message.modules[index].failure = failure
      }
    }
  }
}

/// Names for the texts of a message: `text.txt`, `text_2.txt`, and on, without those that its files have.
private struct TextNames {
  private let taken: Set<String>
  private var number = 0

  init(taken: [String]) { self.taken = Set(taken.map { $0.lowercased() }) }

  mutating func next() -> String {
    while true {
      number += 1
      let name = number == 1 ? "text.txt" : "text_\(number).txt"
      if !taken.contains(name) { return name }
    }
  }
}
