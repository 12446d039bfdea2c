internal import MediaLibrary

/// Writes the body of one request into a part file, in large pieces and off the threads of Swift's pool. For one task.
struct PartWriter {
  /// When written bytes are brought to the disk, and their number is recorded: by amount or time, not by packet.
  struct Syncing: Sendable {
    var bytes = 8 << 20
    var interval = Duration.seconds(1)
  }

  /// Bytes of the file that are read for a digest that is behind, for each byte that arrives.
  static let catchUp = 8

  let part: PartFile
  /// Number of bytes in the file, on the disk or not.
  private(set) var written: Int
  /// Number of bytes that are surely on the disk.
  private(set) var synced: Int
  /// The digest of the whole file so far.
  private(set) var digest: RunningDigest
  private(set) var checksum: RunningChecksum?
  /// Bytes that are not in the file yet.
  private var buffer: [UInt8] = []
  /// The memory of the buffer; nil while it is empty.
  private var share: UploadBuffers.Share?
  /// Number of bytes that were taken at last.
  private var lastCount = 0
  /// Number of bytes that were taken when they were synced, or the disk was asked for room, the last time.
  private var checked: Int
  private var lastCheck = ContinuousClock.now
  private let threads: BlockingThreads
  private let syncing: Syncing
  private let buffers: UploadBuffers

  init(
    _ part: PartFile, at offset: Int, digest: RunningDigest, checksum: Upload.Checksum?, syncing: Syncing,
    threads: BlockingThreads, buffers: UploadBuffers
  ) {
    (self.part, written, synced, checked, self.buffers) = (part, offset, offset, offset, buffers)
    // A digest that is ahead is of bytes whose number could not be recorded. One that is behind catches up with each write.
    self.digest = digest.covered <= offset ? digest : RunningDigest()
    self.checksum = checksum.map(RunningChecksum.init)
    (self.syncing, self.threads) = (syncing, threads)
  }

  /// Number of bytes that were taken, written or not.
  var total: Int { written + buffer.count }

  /// Takes bytes; write them when ``isFull``.
  mutating func take(_ bytes: some Collection<UInt8>) {
    if share == nil {
      let new = buffers.share(atLeast: bytes.count)
      buffer.reserveCapacity(new.bytes)
      share = new
    }
    buffer.append(contentsOf: bytes)
    lastCount = bytes.count
  }

  /// Whether enough is collected for a write: another piece like the last one would need a larger buffer.
  var isFull: Bool { share.map { buffer.count + lastCount > $0.bytes } ?? false }

  /// Whether so much was taken, or so long ago was the last time, that it should be synced, or the disk be asked for room.
  var needsCheck: Bool {
    total > checked && (total - checked >= syncing.bytes || lastCheck.duration(to: .now) >= syncing.interval)
  }

  /// Notes that the disk has room for what was taken, of a file that is synced at its end.
  mutating func noteCheck() { (checked, lastCheck) = (total, .now) }

  /// Writes what is collected.
  mutating func write() async throws(ServiceError) {
    guard !buffer.isEmpty else { return }
    let (part, bytes, offset) = (part, buffer, written)
    let (digest, checksum) = (digest, checksum)
    buffer.removeAll(keepingCapacity: false)
    // Until the bytes are in the file they are in memory.
    defer { share = nil }
    (self.digest, self.checksum) = try await threads.uncancelled {
      var (digest, checksum) = (digest, checksum)
      // In proportion to what arrives, so that neither one write nor the examination after the last byte takes long.
      try part.extend(&digest, to: offset, atMost: bytes.count * Self.catchUp)
      try bytes.withUnsafeBytes { pointer in
        try part.write(pointer, at: offset)
        digest.update(pointer, at: offset)
        checksum?.update(pointer)
      }
      return (digest, checksum)
    }
    written += bytes.count
  }

  /// Writes what is collected and brings everything to the disk.
  mutating func sync() async throws(ServiceError) {
    try await write()
    guard written > synced else { return }
    let part = part
    try await threads.uncancelled { try part.sync() }
    synced = written
    noteCheck()
  }

  /// Removes the bytes behind an offset, such as those of a piece with a wrong checksum.
  mutating func discard(to offset: Int) async throws(ServiceError) {
    buffer.removeAll()
    share = nil
    let part = part
    try await threads.uncancelled { try part.cut(to: offset) }
    (written, synced, checked) = (offset, min(synced, offset), min(checked, offset))
  }
}

extension BlockingThreads {
  /// Makes a call although the task was cancelled: a client that has gone must not keep its bytes from the disk.
  func uncancelled<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws(ServiceError) -> Value {
    let threads = self
    return try await ServiceError.mapping { try await Task { try await threads.run(body) }.value }
  }
}
