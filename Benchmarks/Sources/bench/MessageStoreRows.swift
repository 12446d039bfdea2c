internal import Foundation

/// The rows of the speed table that concern a store of 100,000 messages in 10,000 threads.
struct MessageStoreRows {
  /// The loop over MessageStore that does nothing else.
  var loop: String
  /// Where outputs go.
  var output: String
  /// The store.
  var store: String

  /// Makes the store below `folder` where it is missing.
  init(loop: String, output: String, folder: String) throws {
    (self.loop, self.output) = (loop, output)
    store = "\(folder)/messages"
    if !FileManager.default.fileExists(atPath: store) {
      FileHandle.standardError.write(Data("making a store of a hundred thousand messages\n".utf8))
      let making = "\(folder)/messages.making"
      try? FileManager.default.removeItem(atPath: making)
      _ = try Command(
        arguments: [loop, "make", making, "100000", "10000"], folder: "\(output)/messages", lines: 0
      ).run()
      try FileManager.default.moveItem(atPath: making, toPath: store)
    }
  }

  var all: [Row] {
    func command(_ work: String, _ numbers: Int...) -> Command {
      Command(
        arguments: [loop, work, store] + numbers.map { "\($0)" }, folder: "\(output)/messages", lines: 1)
    }
    return [
      Row(
        work: "fifty threads of 10,000 with 100,000 messages", ours: command("threads", 1, 2_000),
        requirement: .each(below: 0.001, of: 2_000)),
      Row(
        work: "page 100 of 10,000 threads, 2,000 times", ours: command("threads", 100, 2_000),
        peerName: "page 1", peer: command("threads", 1, 2_000), requirement: .each(below: 0.001, of: 2_000)),
    ]
  }
}
