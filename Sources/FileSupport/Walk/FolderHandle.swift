internal import CFileSupport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open folder. Files in it are found whatever happens to the path above it, and however long that is.
package final class FolderHandle: Sendable {
  package let descriptor: CInt
  package let identity: FileIdentity

  /// Takes the descriptor over; nil when it is none of a folder.
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

  /// The folder at a path, links in it followed: for what a person named.
  package static func open(_ path: [UInt8]) throws(FileError) -> FolderHandle {
    // Only folders are opened: no FIFO that waits, no device.
    let opened = PathBytes(path).withCString {
      openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    }
    guard let handle = FolderHandle(taking: opened) else { throw .last }
    return handle
  }

  /// A folder in this one. A link in its place is refused.
  package func folder(_ name: ArraySlice<UInt8>) throws(FileError) -> FolderHandle {
    let opened = Self.withName(name) {
      openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    }
    guard let handle = FolderHandle(taking: opened) else { throw .last }
    return handle
  }

  /// The folder above this one; nil when there is none.
  func parent() -> FolderHandle? { try? folder(Array("..".utf8)[...]) }

  /// Opens a file in this folder for reading: no link is followed, and neither a FIFO nor a device makes it wait.
  /// - Returns: The descriptor, which is the caller's; -1 with `errno`.
  package func openFile(_ name: ArraySlice<UInt8>) -> CInt {
    Self.withName(name) { openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW) }
  }

  /// What the system says of a name in this folder, itself unless links are followed.
  func status(_ name: UnsafePointer<CChar>, followsLinks: Bool = false) throws(FileError) -> FileStatus {
    try FileStatus(name, in: descriptor, followsLinks: followsLinks)
  }

  /// When a name in this folder came into being, in nanoseconds since 1970; nil where the file system does not say.
  package func birth(_ name: ArraySlice<UInt8>) -> Int64? {
    var time: Int64 = 0
    return Self.withName(name) { mediatool_birth(descriptor, $0, &time) } ? time : nil
  }

  static func withName<Result>(_ name: ArraySlice<UInt8>, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // A name has 255 bytes at most on nearly every file system.
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
