internal import CFileSupport
public import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Bytes that come one after another, from a pipe or a network, kept outside the heap up to a limit, and then a file that nobody can change.
///
/// On Linux they are memory, sealed at the end (`memfd_create`). Elsewhere they are a file without a name in the temporary folder, of which
/// only a descriptor for reading is left at the end. Not for use from two threads at once.
public struct MemoryFile: ~Copyable {
  private let memory: mediatool_memory
  private let limit: Int
  /// Bytes taken so far.
  public private(set) var count = 0

  /// An empty file that takes up to `limit` bytes.
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

  /// Takes some more bytes.
  /// - Throws: `tooLarge` past the limit, `outOfMemory`.
  public mutating func append(_ bytes: [UInt8]) throws(MediaFailure) {
    guard bytes.count <= limit - count else { throw MediaFailure(.tooLarge, "It has more than \(limit) bytes.") }
    do throws(FileError) { try FileSystem.append(bytes, to: memory.writing) } catch { throw .outOfMemory() }
    count += bytes.count
  }

  /// The file, which the caller has to close. Nobody can write to it any more, nor make it shorter.
  public consuming func finish() -> Int32 {
    let memory = self.memory
    discard self
    return mediatool_seal(memory)
  }
}
