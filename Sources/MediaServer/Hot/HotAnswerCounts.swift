internal import Logging
internal import MediaLibrary
internal import Synchronization

/// Counts answers from memory for the audit log: a line for each would cost more than the answer, and block the event loop.
final class HotAnswerCounts: Sendable {
  /// Answers that have one line.
  struct Use: Hashable, Sendable {
    let file: FileID
    let route: String
    /// The name of the key that signed the address.
    let key: String?
    let status: Int

    // A file has few routes, whose texts cost more to hash than to compare.
    func hash(into hasher: inout Hasher) {
      hasher.combine(file)
      hasher.combine(status)
    }
  }

  private let counts = Mutex<[Use: Int]>([:])

  /// Notes an answer.
  func count(_ use: Use) { counts.withLock { $0[use, default: 0] += 1 } }

  /// Writes a line with `count` for each kind of answer since the last call.
  func log(to audit: Logger) {
    let counts = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    for (use, count) in counts {
      var metadata: Logger.Metadata = [
        "method": "GET", "route": .string(use.route), "id": "\(use.file.rawValue)",
        "status": .stringConvertible(use.status), "count": .stringConvertible(count),
      ]
      if let key = use.key { metadata["key"] = .string(key) }
      audit.info("access", metadata: metadata)
    }
  }
}
