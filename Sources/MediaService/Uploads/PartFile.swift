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

  /// Reads bytes of the file into a digest that does not cover them: they arrived before the last start. Blocking.
  /// - Parameters:
  ///   - end: The offset at which the digest ends at the latest.
  ///   - limit: Bytes to read at most. Default: as many as are missing.
  func extend(_ digest: inout RunningDigest, to end: Int, atMost limit: Int = .max) throws(ServiceError) {
    var missing = min(limit, end - digest.covered)
    guard missing > 0 else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(missing, 1 << 17), alignment: 16)
    defer { buffer.deallocate() }
    while missing > 0 {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(missing, buffer.count)])
      let offset = digest.covered
      let count = try Self.mapping("read \(path)") { () throws(FileError) in
        try FileSystem.fill(piece, from: descriptor, at: offset)
      }
      if count == 0 { return }
      digest.update(UnsafeRawBufferPointer(rebasing: piece[..<count]), at: offset)
      missing -= count
    }
  }

  private static func mapping<Value>(
    _ operation: String, _ body: () throws(FileError) -> Value
  ) throws(ServiceError) -> Value {
    do throws(FileError) { return try body() } catch { throw ServiceError(error, operation) }
  }
}

/// The SHA-256 of the bytes of an upload as they arrive. Cannot be stored: after a start, the file is read again while the rest arrives.
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
