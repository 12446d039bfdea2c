internal import MediaLibrary
internal import Synchronization

/// Originals without metadata that were read last: a player asks for one in many ranges. Those of erased files are dropped with their addresses.
final class StrippedOriginals: Sendable {
  /// The largest file that is read as a whole, stripped, and kept. 64 MiB. Of larger MP4 and QuickTime files the ranges that change are kept.
  static let maxBytes = 67_108_864
  /// Bytes that the ranges of a larger file may take. 8 MiB.
  static let planBytes = 8_388_608
  /// Bytes that are kept. 64 MiB.
  private static let maxKeptBytes = maxBytes
  /// Bytes in memory, those that are kept and those that slow readers have not finished. 256 MiB.
  private static let maxBytesInMemory = 4 * maxBytes

  /// A state of a file: a scan may find that the one at its path was changed, and its id stays.
  struct Key: Hashable, Sendable {
    let id: FileID
    /// That of the original, which changes with its bytes.
    let entityTag: String
  }

  /// Files of which metadata cannot be removed that are remembered: a player asks for one in many ranges, too.
  private static let maxRefused = 1_024

  private struct State {
    var files: [(key: Key, file: MediaService.OriginalFile)] = []
    /// What is being made, with whether it was removed meanwhile: it is not kept then.
    var making: [Key: Bool] = [:]
    var refused = RefusedOriginals(limit: StrippedOriginals.maxRefused)
  }

  private let state = Mutex(State())
  private let memory = Memory()
  private let making = SingleFlight<Key, MediaService.OriginalFile>()

  /// The stripped original, which is made unless it is kept.
  /// - Parameters:
  ///   - bytes: The bytes that the result takes in memory, at most about.
  ///   - make: Makes the result, which must hold the reservation for as long as it lives.
  /// - Throws: `busy` if readers have too many bytes in memory; what `make` throws. An error `unavailable` is thrown again without another try.
  func file(
    _ key: Key, bytes: Int, _ make: @escaping @Sendable (Reservation) async throws -> MediaService.OriginalFile
  ) async throws -> MediaService.OriginalFile {
    let (known, refusal) = state.withLock { state in
      (state.files.first { $0.key == key }?.file, state.refused[key])
    }
    if let known { return known }
    if let refusal { throw refusal }
    return try await making.run(key) { [self] in
      let reservation = try reserve(bytes)
      state.withLock { $0.making[key] = false }
      defer { state.withLock { $0.making[key] = nil } }
      let file: MediaService.OriginalFile
      do { file = try await make(reservation) } catch let error as ServiceError where error.code == .unavailable {
        state.withLock { $0.refused.insert(key, error) }
        throw error
      }
      state.withLock { state in
        guard state.making[key] == false, file.bytesInMemory <= Self.maxKeptBytes else { return }
        // Of an earlier state of the file, too.
        state.files.removeAll { $0.key.id == key.id }
        state.files.append((key, file))
        var sum = state.files.reduce(0) { $0 + $1.file.bytesInMemory }
        while sum > Self.maxKeptBytes, let first = state.files.first {
          sum -= first.file.bytesInMemory
          state.files.removeFirst()
        }
      }
      return file
    }
  }

  /// Drops files whose signed URLs have ended.
  func remove(_ ids: Set<FileID>) {
    state.withLock { state in
      for key in state.making.keys where ids.contains(key.id) { state.making[key] = true }
      state.files.removeAll { ids.contains($0.key.id) }
      state.refused.remove(ids)
    }
  }

  private func reserve(_ bytes: Int) throws(ServiceError) -> Reservation {
    if let reservation = memory.reserve(bytes, limit: Self.maxBytesInMemory) { return reservation }
    // What nobody reads makes room.
    state.withLock { $0.files = [] }
    if let reservation = memory.reserve(bytes, limit: Self.maxBytesInMemory) { return reservation }
    throw ServiceError(
      .busy, "Too many metadata-free copies of originals are being delivered; try again later.", retryAfter: 1)
  }

  /// Bytes of a result in memory, until the last reader has released it.
  final class Reservation: Sendable {
    private let bytes: Int
    private let memory: Memory

    fileprivate init(_ bytes: Int, _ memory: Memory) { (self.bytes, self.memory) = (bytes, memory) }

    deinit { memory.release(bytes) }
  }

  /// Counts the bytes of reservations. An object of its own, because reservations outlive what is kept.
  fileprivate final class Memory: Sendable {
    private let used = Mutex(0)

    func reserve(_ bytes: Int, limit: Int) -> Reservation? {
      let fits = used.withLock { used in
        guard bytes <= limit - used else { return false }
        used += bytes
        return true
      }
      return fits ? Reservation(bytes, self) : nil
    }

    func release(_ bytes: Int) { used.withLock { $0 -= bytes } }
  }
}
