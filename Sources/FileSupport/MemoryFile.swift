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
/// closed at the end. A file that grows above a limit of its memory becomes such a file on Linux too. Not for concurrent use by two threads.
public struct MemoryFile: ~Copyable {
  private var memory: mediatool_memory
  private let limit: Int
  private let maxMemory: Int
  private var isSpooled = false
  /// Number of bytes written so far.
  public private(set) var count = 0

  /// Creates an empty file for up to `limit` bytes.
  /// - Parameter maxMemory: Bytes above which it is moved to an unlinked file in the temporary folder (`TMPDIR`, otherwise `/tmp`). By default it
  ///   stays in memory.
  /// - Throws: `outOfMemory`.
  public init(limit: Int, maxMemory: Int = .max) throws(MediaFailure) {
    memory = mediatool_new_memory()
    self.limit = limit
    self.maxMemory = maxMemory
    guard memory.writing >= 0 else { throw .outOfMemory() }
  }

  deinit { Self.release(memory) }

  /// Appends bytes.
  /// - Throws: `tooLarge` past the limit; `outOfMemory`, also if the temporary folder is full.
  public mutating func append(_ bytes: [UInt8]) throws(MediaFailure) {
    guard bytes.count <= limit - count else {
      throw MediaFailure(.tooLarge, "The input is larger than the limit of \(HumanNumbers.limit(limit)).")
    }
    if !isSpooled, bytes.count > maxMemory - count { try spool() }
    do throws(FileError) { try FileSystem.append(bytes, to: memory.writing) } catch {
      throw isSpooled ? .temporaryFolderFailed(detail: error.description) : .outOfMemory()
    }
    count += bytes.count
  }

  /// Moves what is in memory to a file in the temporary folder.
  private mutating func spool() throws(MediaFailure) {
    let file = mediatool_new_spool()
    guard file.writing >= 0 else {
      throw .temporaryFolderFailed(detail: "no file can be created: \(FileError.last.description)")
    }
    do throws(FileError) {
      var piece = [UInt8](repeating: 0, count: 1_048_576)
      var offset = 0
      while offset < count {
        let found = pread(memory.reading, &piece, piece.count, off_t(offset))
        guard found > 0 else { throw .last }
        try FileSystem.append(Array(piece[..<found]), to: file.writing)
        offset += found
      }
    } catch {
      Self.release(file)
      throw .temporaryFolderFailed(detail: error.description)
    }
    Self.release(memory)
    memory = file
    isSpooled = true
  }

  private static func release(_ memory: mediatool_memory) {
    if memory.writing >= 0 { close(memory.writing) }
    if memory.reading >= 0, memory.reading != memory.writing { close(memory.reading) }
  }

  /// Ends writing and returns a descriptor of the file, which the caller closes. The file can be neither changed nor truncated any more.
  public consuming func finish() -> Int32 {
    let memory = self.memory
    discard self
    return mediatool_seal(memory)
  }
}
