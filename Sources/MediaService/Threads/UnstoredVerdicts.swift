internal import MediaLibrary
internal import Synchronization

/// Verdicts on files of messages that could not be stored, for example on a full disk. They count as stored ones do, so that not each request for a file
/// scans it again and tries to store the result.
final class UnstoredVerdicts: Sendable {
  /// Seconds until storing a verdict is tried again.
  static let pause = 60
  /// Verdicts that are kept; a further one replaces all of them.
  private static let maxVerdicts = 1_024

  private struct Key: Hashable {
    let owner: String
    let content: ContentDigest
  }

  private struct Entry {
    let verdict: Moderation.Verdict
    let time: Int
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// The verdict on an owner's file that is not stored.
  func verdict(on content: ContentDigest, of owner: String) -> Moderation.Verdict? {
    entries.withLock { $0[Key(owner: owner, content: content)]?.verdict }
  }

  /// Whether storing a verdict is to be tried again.
  func isDue(_ verdict: Moderation.Verdict, of owner: String, at now: Int) -> Bool {
    entries.withLock { entries in
      guard let time = entries[Key(owner: owner, content: verdict.content)]?.time else { return false }
      return time > now || now - time >= Self.pause
    }
  }

  func add(_ verdict: Moderation.Verdict, of owner: String, at now: Int) {
    entries.withLock { entries in
      if entries.count >= Self.maxVerdicts { entries = [:] }
      entries[Key(owner: owner, content: verdict.content)] = Entry(verdict: verdict, time: now)
    }
  }

  func remove(_ content: ContentDigest, of owner: String) {
    entries.withLock { $0[Key(owner: owner, content: content)] = nil }
  }

  /// Removes the verdicts on the files of an owner who is erased.
  func removeAll(of owner: String) {
    entries.withLock { entries in entries = entries.filter { $0.key.owner != owner } }
  }
}
