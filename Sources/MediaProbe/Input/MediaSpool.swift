internal import CMediaShims
internal import Glibc
public import MediaModel

/// A buffer that collects bytes from a pipe or a network and becomes a ``MediaInput``.
///
/// It keeps them in memory outside the heap, up to a limit.
public struct MediaSpool: ~Copyable {
  private let descriptor: CInt
  private let limit: Int
  /// Number of bytes collected so far.
  public private(set) var count = 0

  /// Creates an empty spool for up to `limit` bytes.
  ///
  /// - Throws: `outOfMemory`.
  public init(limit: Int) throws(MediaFailure) {
    descriptor = mediatool_memory_file()
    self.limit = limit
    guard descriptor >= 0 else { throw .outOfMemory() }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends bytes.
  ///
  /// - Throws: `tooLarge` beyond the limit, `outOfMemory`.
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

  /// Returns all bytes as one input.
  ///
  /// - Throws: `unreadable`, `outOfMemory`.
  public consuming func finish() throws(MediaFailure) -> MediaInput {
    let descriptor = self.descriptor
    discard self
    return try MediaInput(takingDescriptor: descriptor)
  }
}
