internal import CFileSupport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open folder. Files in it are reached through its descriptor, even if a folder above it is moved or the path is too long for the system.
package final class FolderHandle: Sendable {
  package let descriptor: CInt
  package let identity: FileIdentity

  /// Takes ownership of the descriptor; nil if it is not a folder's.
  private init?(taking descriptor: CInt) {
    guard descriptor >= 0 else { return nil }
    do throws(FileError) {
      identity = try FileStatus(descriptor: descriptor).identity
    } catch {
      close(descriptor)
      errno = error.code
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens the folder at a path, links followed: for roots, which a person names.
  package static func open(_ path: [UInt8]) throws(FileError) -> FolderHandle {
    // `O_DIRECTORY` refuses FIFOs and devices, which could block.
    let opened = PathBytes(path).withCString {
      openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    }
    guard let handle = FolderHandle(taking: opened) else { throw .last }
    return handle
  }

  /// Opens a folder in this one. Refuses a link.
  package func folder(_ name: ArraySlice<UInt8>) throws(FileError) -> FolderHandle {
    let opened = Self.withName(name) {
      openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    }
    guard let handle = FolderHandle(taking: opened) else { throw .last }
    return handle
  }

  /// A folder at a path to write in, links in it followed. Where the user may not read it, files can be written in it all the same.
  package static func openForWriting(_ path: PathBytes) throws(FileError) -> FolderHandle {
    do throws(FileError) { return try open(path.bytes) } catch {
      #if os(Linux)
      guard error.code == EACCES else { throw error }
      let opened = path.withCString { openat(AT_FDCWD, $0, pathOnly | O_DIRECTORY | O_CLOEXEC) }
      guard let handle = FolderHandle(taking: opened) else { throw .last }
      return handle
      #else
      throw error
      #endif
    }
  }

  #if os(Linux)
  /// `O_PATH` (asm-generic/fcntl.h), which Swift's Glibc module does not show.
  private static let pathOnly: CInt = 0o10_000_000
  #endif

  /// A folder in this one, created where it is missing. A link in its place is refused.
  package func makeFolder(_ name: ArraySlice<UInt8>) throws(FileError) -> FolderHandle {
    do throws(FileError) { return try folder(name) } catch {
      guard error.code == ENOENT else { throw error }
    }
    if Self.withName(name, { mkdirat(descriptor, $0, 0o755) }) == 0 {
      try sync()
    } else if errno != EEXIST {
      throw .last
    }
    return try folder(name)
  }

  /// Removes a file of this folder; a link itself and not where it leads.
  package func removeFile(_ name: ArraySlice<UInt8>) throws(FileError) {
    guard Self.withName(name, { unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else { throw .last }
  }

  /// Brings the names in this folder to the disk, where the user may read the folder and the file system can.
  package func sync() throws(FileError) {
    // EBADF: opened without the right to read it.
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, EBADF].contains(errno) else { throw .last }
  }

  /// The folder above this one; nil if it cannot be opened.
  func parent() -> FolderHandle? { try? folder(Array("..".utf8)[...]) }

  /// Opens a file in this folder for reading. Follows no link, and does not wait for a FIFO or a device.
  /// - Returns: The descriptor, which the caller closes; -1 with `errno` set.
  package func openFile(_ name: ArraySlice<UInt8>) -> CInt {
    Self.withName(name) { openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW) }
  }

  /// The status of a name in this folder; of a link itself, unless links are followed.
  func status(_ name: UnsafePointer<CChar>, followsLinks: Bool = false) throws(FileError) -> FileStatus {
    try FileStatus(name, in: descriptor, followsLinks: followsLinks)
  }

  /// Creation time of a name in this folder, in nanoseconds since 1970; nil if the file system does not record it.
  package func birth(_ name: ArraySlice<UInt8>) -> Int64? {
    var time: Int64 = 0
    return Self.withName(name) { mediatool_birth(descriptor, $0, &time) } ? time : nil
  }

  static func withName<Result>(_ name: ArraySlice<UInt8>, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // On nearly every file system a name has at most 255 bytes.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer in
      var end = 0
      for byte in name {
        buffer[end] = CChar(bitPattern: byte)
        end += 1
      }
      buffer[end] = 0
      guard let start = buffer.baseAddress else { return "".withCString(body) }
      return body(UnsafePointer(start))
    }
  }
}
