internal import MediaLibrary
internal import Synchronization

/// Originals without metadata that were read last: a player asks for one in many ranges. Those of erased files are dropped with their addresses.
final class StrippedOriginals: Sendable {
  /// The largest file that is stripped; it is read as a whole. 256 MiB.
  static let maxBytes = 268_435_456
  /// Bytes that are kept. 64 MiB.
  private static let budget = 67_108_864

  private struct State {
    var files: [(id: FileID, file: MediaService.OriginalFile)] = []
    /// Counts removals: what was begun before one is not kept.
    var removals = 0
  }

  private let state = Mutex(State())
  private let making = SingleFlight<FileID, MediaService.OriginalFile>()

  /// The stripped original, which is made unless it is kept.
  func file(
    _ id: FileID, _ make: @escaping @Sendable () async throws -> MediaService.OriginalFile
  ) async throws -> MediaService.OriginalFile {
    if let known = state.withLock({ $0.files.first { $0.id == id }?.file }) { return known }
    return try await making.run(id) { [self] in
      let removals = state.withLock { $0.removals }
      let file = try await make()
      state.withLock { state in
        guard state.removals == removals, file.bytes <= Self.budget else { return }
        state.files.removeAll { $0.id == id }
        state.files.append((id, file))
        var sum = state.files.reduce(0) { $0 + $1.file.bytes }
        while sum > Self.budget, let first = state.files.first {
          sum -= first.file.bytes
          state.files.removeFirst()
        }
      }
      return file
    }
  }

  /// Drops files whose signed addresses have ended.
  func remove(_ ids: Set<FileID>) {
    state.withLock { state in
      state.removals += 1
      state.files.removeAll { ids.contains($0.id) }
    }
  }
}
