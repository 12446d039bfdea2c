internal import CFileSupport
public import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file for bytes from a pipe or a network, outside the heap, with a size limit; read-only once it is finished.
///
/// On Linux it is sealed memory (`memfd_create`). Elsewhere it is an unlinked file in the temporary folder, whose descriptor for writing is
/// closed at the end. Not for concurrent use by two threads.
public struct MemoryFile: ~Copyable {
  private let memory: mediatool_memory
  private let limit: Int
  /// Number of bytes written so far.
  public private(set) var count = 0

  /// Creates an empty file for up to `limit` bytes.
  /// - Throws: `outOfMemory`.
  public init(limit: Int) throws(MediaFailure) {
    memory = mediatool_new_memory()
    self.limit = limit
    guard memory.writing >= 0 else { throw .outOfMemory() }
  }

  deinit {
    if memory.writing >= 0 { close(memory.writing) }
    if memory.reading >= 0, memory.reading != memory.writing { close(memory.reading) }
  }

  /// Appends bytes.
  /// - Throws: `tooLarge` past the limit, `outOfMemory`.
  public mutating func append(_ bytes: [UInt8]) throws(MediaFailure) {
    guard bytes.count <= limit - count else {
      throw MediaFailure(.tooLarge, "The input is larger than the limit of \(limit.grouped) bytes.")
    }
    do throws(FileError) { try FileSystem.append(bytes, to: memory.writing) } catch { throw .outOfMemory() }
    count += bytes.count
  }

  /// Ends writing and returns a descriptor of the file, which the caller closes. The file can be neither changed nor truncated any more.
  public consuming func finish() -> Int32 {
    let memory = self.memory
    discard self
    return mediatool_seal(memory)
  }
}
