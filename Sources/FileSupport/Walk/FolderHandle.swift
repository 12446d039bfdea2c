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
