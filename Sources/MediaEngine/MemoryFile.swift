internal import CEngineShims
internal import Glibc
package import MediaModel

/// Bytes that come one after another, kept in memory outside the heap, up to a limit, and then a file that nobody can change.
package struct MemoryFile: ~Copyable {
  private let descriptor: CInt
  private let limit: Int
  private var count = 0

  /// An empty file that takes up to `limit` bytes.
  /// - Throws: `outOfMemory`.
  package init(limit: Int) throws(MediaFailure) {
    descriptor = mediatool_sealable_file()
    self.limit = limit
    guard descriptor >= 0 else { throw .outOfMemory() }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes some more bytes.
  /// - Throws: `tooLarge` past the limit, `outOfMemory`.
  package mutating func append(_ bytes: [UInt8]) throws(MediaFailure) {
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

  /// The file as a source.
  package consuming func source() -> MediaSource {
    MediaSource(content: .descriptor(SharedDescriptor(taking: finish())))
  }

  /// The descriptor, which is the caller's now.
  consuming func finish() -> CInt {
    // Fails only on a kernel without seals; then it is opened anew for reading, as any other file.
    _ = mediatool_seal(descriptor)
    let descriptor = self.descriptor
    discard self
    return descriptor
  }
}
