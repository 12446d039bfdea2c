internal import MediaLibrary
internal import MessageStore
internal import Synchronization

/// Which files of messages are handed out. What was decided about the attachment that a file was made of counts, too: the file in the message has
/// another digest, because it was reduced or its metadata was removed.
extension MediaService {
  /// Whether a file was not found clean yet; nil if it is blocked, quarantined or malware: nobody reads it. A file without a verdict is scanned now.
  /// - Parameter owner: The owner of the message.
  func isHeld(_ part: MessageStore.Part, of owner: String) async throws(ServiceError) -> Bool? {
    guard let path = part.path, let digest = part.digest else { return nil }
    guard let states = try await states(of: [digest, part.source].compactMap(\.self), owner: owner) else { return nil }
    guard let scanning = configuration.scanning else { return false }
    let holds = scanning.policy != .allow
    // The original was scanned when it arrived. Without a verdict it was erased, and the file of the message is all there is.
    if holds, states.contains(where: { $0.key != digest && $0.value != .clean }) { return true }
    if states[digest] == .clean { return false }
    let now = now()
    if unscannedParts.contains(digest, at: now) { return holds }
    let verdict = await self.verdict(onFileAt: path, digest, scanning.scanner)
    try await apply(verdict)
    switch verdict.state {
    case .clean: return false
    case .infected: return nil
    case .pending, .unscannable:
      unscannedParts.add(digest, at: now)
      return holds
    }
  }

  /// What scanners found in contents, without those that have no verdict; nil if nobody reads one of them.
  private func states(
    of contents: [ContentDigest], owner: String
  ) async throws(ServiceError) -> [ContentDigest: Moderation.Verdict.State]? {
    let library = library.library
    return try await ServiceError.mapping {
      try await self.library.readModeration { moderation -> [ContentDigest: Moderation.Verdict.State]? in
        var states: [ContentDigest: Moderation.Verdict.State] = [:]
        for content in contents {
          let state = try moderation.verdict(of: content)?.state
          if try state == .infected || moderation.block(of: content) != nil { return nil }
          // The owner's file may be quarantined alone: by a review, by reports, or because of how it looks.
          if let path = library.pathOfOriginal(content, owner: owner), let file = try library.catalogue.file(at: path),
            try moderation.standing(of: file.id)?.isHidden == true
          {
            return nil
          }
          states[content] = state
        }
        return states
      }
    }
  }
}

/// Files of messages that the scanner could not look at lately, so that not each request for one asks it again.
final class UnscannedParts: Sendable {
  /// Seconds until it is asked again.
  static let pause = 60
  /// Files that are known; a further one replaces all of them.
  private static let maxParts = 1_024

  private let times = Mutex<[ContentDigest: Int]>([:])

  /// Whether a file could not be scanned lately.
  func contains(_ content: ContentDigest, at now: Int) -> Bool {
    times.withLock { times in times[content].map { $0 <= now && now - $0 < Self.pause } ?? false }
  }

  func add(_ content: ContentDigest, at now: Int) {
    times.withLock { times in
      if times.count >= Self.maxParts { times = [:] }
      times[content] = now
    }
  }
}
