/// The rows of the speed table that concern a store of 100,000 messages in 10,000 threads.
struct MessageStoreRows {
  /// The loop over MessageStore that does nothing else.
  var loop: String
  /// Where outputs go.
  var output: String
  /// The store.
  var store: InputSet
  /// The same number of messages, a quarter of them with a photo, and a draft with a photo in every thread.
  var busy: InputSet

  init(loop: String, output: String, folder: String) {
    (self.loop, self.output) = (loop, output)
    store = .made(at: "\(folder)/messages", output: output) { [loop, "make", $0, "100000", "10000"] }
    busy = .made(at: "\(folder)/busy-messages", output: output) { [loop, "make-busy", $0, "100000", "10000"] }
  }

  var all: [Row] {
    func command(_ work: String, _ numbers: Int..., in set: InputSet? = nil) -> Command {
      Command(
        arguments: [loop, work, (set ?? store).path] + numbers.map { "\($0)" }, folder: "\(output)/messages", lines: 1)
    }
    return [
      Row(
        work: "fifty threads of 10,000 with 100,000 messages", ours: command("threads", 1, 2_000),
        requirement: .each(below: 0.001, of: 2_000), needs: [store]),
      Row(
        work: "page 100 of 10,000 threads, 2,000 times", ours: command("threads", 100, 2_000),
        peerName: "page 1", peer: command("threads", 1, 2_000), requirement: .each(below: 0.001, of: 2_000),
        needs: [store]),
      Row(
        work: "fifty threads of 10,000 with drafts, photos and 100,000 messages",
        ours: command("threads", 1, 2_000, in: busy), requirement: .each(below: 0.001, of: 2_000), needs: [busy]),
      Row(
        work: "fifty messages of a thread with photos", ours: command("messages", 2_000, in: busy),
        requirement: .each(below: 0.001, of: 2_000), needs: [busy]),
      Row(
        work: "a word of 100,000 messages searched", ours: command("words", 500),
        requirement: .each(below: 0.01, of: 500), needs: [store]),
    ]
  }
}
