internal import CMediaShims
internal import Glibc
public import MediaModel

/// Bytes that come one after another, from a pipe or a network, until they are a ``MediaInput``: kept in memory, outside the heap, up
/// to a limit.
public struct MediaSpool: ~Copyable {
  private let descriptor: CInt
  private let limit: Int
  /// Bytes taken so far.
  public private(set) var count = 0

  /// An empty spool that takes up to `limit` bytes.
  /// - Throws: `outOfMemory`.
  public init(limit: Int) throws(MediaFailure) {
    descriptor = mediatool_memory_file()
    self.limit = limit
    guard descriptor >= 0 else { throw .outOfMemory() }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes some more bytes.
  /// - Throws: `tooLarge` past the limit, `outOfMemory`.
  public mutating func append(_ bytes: [UInt8]) throws(MediaFailure) {
    guard bytes.count <= limit - count else { throw MediaFailure(.tooLarge, "It has more than \(limit) bytes.") }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .outOfMemory() }
      rest = rest.dropFirst(written)
    }
    count += bytes.count
  }

  /// All bytes as one file.
  /// - Throws: `unreadable`, `outOfMemory`.
  public consuming func finish() throws(MediaFailure) -> MediaInput {
    let descriptor = self.descriptor
    discard self
    return try MediaInput(takingDescriptor: descriptor)
  }
}
