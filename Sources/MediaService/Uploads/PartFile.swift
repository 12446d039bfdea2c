internal import Crypto
internal import FileSupport
internal import MediaEngine
internal import MediaLibrary

/// The bytes of an unfinished file, in the folder of uploads. Open while a request writes it or the file is examined.
final class PartFile: Sendable {
  let path: PathBytes
  private let descriptor: CInt

  /// Opens the file of an upload, creating it if it does not exist. Blocking.
  init(at path: PathBytes) throws(ServiceError) {
    self.path = path
    descriptor = try Self.mapping("open \(path)") { () throws(FileError) in try FileSystem.openForUpdate(path) }
  }

  deinit { FileSystem.release(descriptor) }

  /// The file for the engine, whose workers get it for reading only.
  var source: MediaSource { .descriptor(descriptor) }

  /// Size in bytes. Blocking.
  func size() throws(ServiceError) -> Int {
    try Self.mapping("read \(path)") { () throws(FileError) in try FileStatus(descriptor: descriptor).bytes }
  }

  /// Writes bytes at an offset. Blocking.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ServiceError) {
    try Self.mapping("write \(path)") { () throws(FileError) in
      try FileSystem.writeBytes(bytes, to: descriptor, at: offset)
    }
  }

  /// Truncates the file to an offset. Blocking.
  func cut(to offset: Int) throws(ServiceError) {
    try Self.mapping("truncate \(path)") { () throws(FileError) in try FileSystem.cut(descriptor, to: offset) }
  }

  /// Brings the bytes to the disk. Blocking.
  func sync() throws(ServiceError) {
    try Self.mapping("sync \(path)") { () throws(FileError) in try FileSystem.syncData(descriptor) }
  }

  /// Reads the file, for the digest of an upload whose first bytes arrived before the last start. Blocking.
  func digest(of length: Int) throws(ServiceError) -> ContentDigest? {
    var running = RunningDigest()
    let reader = try Self.mapping("open \(path)") { () throws(FileError) in try FileSystem.openFile(path) }
    defer { FileSystem.release(reader) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try Self.mapping("read \(path)") { () throws(FileError) in
        try FileSystem.fill(buffer, from: reader)
      }
      if count == 0 { return running.digest(of: length) }
      running.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: running.covered)
    }
  }

  private static func mapping<Value>(
    _ operation: String, _ body: () throws(FileError) -> Value
  ) throws(ServiceError) -> Value {
    do throws(FileError) { return try body() } catch { throw ServiceError(error, operation) }
  }
}

/// The SHA-256 of the bytes of an upload as they arrive. Cannot be stored: after a start, the file is read again.
struct RunningDigest: Sendable {
  /// Number of bytes that were taken, from the first.
  private(set) var covered = 0
  private var hasher = SHA256()

  /// Takes bytes. Ignores those that do not follow the last ones; then there is no digest.
  mutating func update(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset == covered else { return }
    hasher.update(bufferPointer: bytes)
    covered += bytes.count
  }

  /// The digest of the first bytes; nil if not exactly these were taken.
  func digest(of length: Int) -> ContentDigest? {
    covered == length ? ContentDigest(bytes: Array(hasher.finalize())) : nil
  }
}
