internal import MediaEngine

/// Which uploads are in use by this process, what is reserved for them, and what is known of them beyond the database.
final class UploadRegistry: Sendable {
  /// The right to change an upload. Released once.
  struct Hold: Sendable {
    let id: Upload.ID
    fileprivate let number: Int
  }

  /// Bytes and uploads that are reserved.
  struct Reserved: Hashable, Sendable {
    var bytes = 0
    var uploads = 0
  }

  private struct Holder: Sendable {
    let number: Int
    let interrupt: @Sendable () -> Void
    /// Whether a newer request wants the upload.
    var isTakenOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private struct State: Sendable {
    var lastNumber = 0
    var holders: [Upload.ID: Holder] = [:]
    var digests: [Upload.ID: RunningDigest] = [:]
    var examinations: [Upload.ID: Task<Upload, Never>] = [:]
    /// Uploads that are being ended: no examination of them begins.
    var ending: Set<Upload.ID> = []
    /// What each upload has reserved, and the sums by owner and of all.
    var reservations: [Upload.ID: (owner: String, bytes: Int)] = [:]
    var owners: [String: Reserved] = [:]
    var all = Reserved()
  }

  private let state = Locked(State())
  /// Gets the number of uploads with a reservation when it changes.
  private let onCount: @Sendable (Int) -> Void

  init(onCount: @escaping @Sendable (Int) -> Void = { _ in }) { self.onCount = onCount }

  // MARK: Holding

  /// Waits until nobody else uses an upload: the request that does is ended, and its bytes are synced first. No dead connection blocks a new one.
  /// - Parameter interrupt: Ends the request, from another task.
  func hold(_ id: Upload.ID, interrupt: @escaping @Sendable () -> Void) async -> Hold {
    while true {
      if let hold = take(id, interrupt) { return hold }
      await withCheckedContinuation { continuation in
        let interruption = state.withLock { state -> (@Sendable () -> Void)? in
          guard state.holders[id] != nil else { return nil }
          state.holders[id]?.waiting.append(continuation)
          state.holders[id]?.isTakenOver = true
          return state.holders[id]?.interrupt
        }
        if let interruption { interruption() } else { continuation.resume() }
      }
    }
  }

  private func take(_ id: Upload.ID, _ interrupt: @escaping @Sendable () -> Void) -> Hold? {
    state.withLock { state in
      guard state.holders[id] == nil else { return nil }
      state.lastNumber += 1
      state.holders[id] = Holder(number: state.lastNumber, interrupt: interrupt)
      return Hold(id: id, number: state.lastNumber)
    }
  }

  /// Gives an upload up.
  func release(_ hold: Hold) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.holders[hold.id]?.number == hold.number else { return [] }
      return state.holders.removeValue(forKey: hold.id)?.waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Whether a newer request waits for the upload.
  func isTakenOver(_ hold: Hold) -> Bool {
    state.withLock { $0.holders[hold.id].map { $0.number != hold.number || $0.isTakenOver } ?? true }
  }

  /// Whether a request uses the upload.
  func isHeld(_ id: Upload.ID) -> Bool { state.withLock { $0.holders[id] != nil } }

  // MARK: Examinations

  /// The examination of an upload, which is begun if it does not run. It outlives the request that began it.
  /// - Returns: nil while the upload is being ended.
  func examination(
    of id: Upload.ID, _ examine: @escaping @Sendable () async -> Upload
  ) -> Task<Upload, Never>? {
    state.withLock { state in
      if let running = state.examinations[id] { return running }
      if state.ending.contains(id) { return nil }
      let task = Task { [weak self] in
        let upload = await examine()
        self?.state.withLock { $0.examinations[id] = nil }
        return upload
      }
      state.examinations[id] = task
      return task
    }
  }

  /// Cancels the examination of an upload, waits for its end, and lets none begin before ``allowExamination(of:)``. Hold the upload first.
  func endExamination(of id: Upload.ID) async {
    let running = state.withLock { state in
      state.ending.insert(id)
      return state.examinations[id]
    }
    running?.cancel()
    _ = await running?.value
  }

  /// Ends what ``endExamination(of:)`` began.
  func allowExamination(of id: Upload.ID) { state.withLock { _ = $0.ending.remove(id) } }

  // MARK: Digests

  /// Takes the running digest of an upload; a new one if its bytes arrived before the last start.
  func takeDigest(_ id: Upload.ID) -> RunningDigest {
    state.withLock { $0.digests.removeValue(forKey: id) } ?? RunningDigest()
  }

  /// Keeps the running digest of an upload until its next request.
  func keep(_ digest: RunningDigest, of id: Upload.ID) { state.withLock { $0.digests[id] = digest } }

  // MARK: Reserving

  /// Reserves bytes for an upload, in place of those that it has reserved.
  /// - Parameter grant: How many, by what is reserved for other uploads, of the owner and of all.
  /// - Returns: What `grant` returned.
  @discardableResult
  func reserve(
    for id: Upload.ID, owner: String, _ grant: (_ own: Reserved, _ all: Reserved) throws(ServiceError) -> Int
  ) throws(ServiceError) -> Int {
    try state.withLock { state throws(ServiceError) in
      let before = state.reservations[id]
      Self.release(id, &state)
      do throws(ServiceError) {
        let bytes = try grant(state.owners[owner] ?? Reserved(), state.all)
        Self.add(bytes, id, owner, &state)
        onCount(state.all.uploads)
        return bytes
      } catch {
        if let before { Self.add(before.bytes, id, before.owner, &state) }
        throw error
      }
    }
  }

  /// Bytes that an upload has reserved.
  func reserved(for id: Upload.ID) -> Int { state.withLock { $0.reservations[id]?.bytes ?? 0 } }

  /// Ends the reservation of an upload, and forgets its digest.
  func unreserve(_ id: Upload.ID) {
    state.withLock { state in
      state.digests[id] = nil
      Self.release(id, &state)
      onCount(state.all.uploads)
    }
  }

  /// The uploads of an owner for which something is reserved, with and without a row.
  func ids(of owner: String) -> [Upload.ID] {
    state.withLock { state in state.reservations.filter { $0.value.owner == owner }.map(\.key) }
  }

  /// The numbers of unfinished uploads and of their bytes that count towards an owner's quotas.
  func reserved(of owner: String) -> Reserved { state.withLock { $0.owners[owner] ?? Reserved() } }

  private static func add(_ bytes: Int, _ id: Upload.ID, _ owner: String, _ state: inout State) {
    state.reservations[id] = (owner, bytes)
    state.owners[owner, default: Reserved()].bytes += bytes
    state.owners[owner, default: Reserved()].uploads += 1
    state.all.bytes += bytes
    state.all.uploads += 1
  }

  private static func release(_ id: Upload.ID, _ state: inout State) {
    guard let (owner, bytes) = state.reservations.removeValue(forKey: id) else { return }
    var own = state.owners[owner] ?? Reserved()
    (own.bytes, own.uploads) = (own.bytes - bytes, own.uploads - 1)
    state.owners[owner] = own.uploads > 0 ? own : nil
    (state.all.bytes, state.all.uploads) = (state.all.bytes - bytes, state.all.uploads - 1)
  }
}
