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

  private struct State {
    var files: [(id: FileID, file: MediaService.OriginalFile)] = []
    /// What is being made, with whether it was removed meanwhile: it is not kept then.
    var making: [FileID: Bool] = [:]
  }

  private let state = Mutex(State())
  private let memory = Memory()
  private let making = SingleFlight<FileID, MediaService.OriginalFile>()

  /// The stripped original, which is made unless it is kept.
  /// - Parameters:
  ///   - bytes: The bytes that the result takes in memory, at most about.
  ///   - make: Makes the result, which must hold the reservation for as long as it lives.
  /// - Throws: `busy` if readers have too many bytes in memory; what `make` throws.
  func file(
    _ id: FileID, bytes: Int, _ make: @escaping @Sendable (Reservation) async throws -> MediaService.OriginalFile
  ) async throws -> MediaService.OriginalFile {
    if let known = state.withLock({ $0.files.first { $0.id == id }?.file }) { return known }
    return try await making.run(id) { [self] in
      let reservation = try reserve(bytes)
      state.withLock { $0.making[id] = false }
      defer { state.withLock { $0.making[id] = nil } }
      let file = try await make(reservation)
      state.withLock { state in
        guard state.making[id] == false, file.bytesInMemory <= Self.maxKeptBytes else { return }
        state.files.removeAll { $0.id == id }
        state.files.append((id, file))
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
      for id in ids where state.making[id] != nil { state.making[id] = true }
      state.files.removeAll { ids.contains($0.id) }
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
