internal import CFileSupport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// System calls on open files and single paths, with one error type. Calls interrupted by a signal are repeated.
package enum FileSystem {
  /// Opens a regular file for reading. Does not follow a link by default, and does not wait for a FIFO or a device.
  /// - Returns: The descriptor; the caller closes it.
  /// - Throws: ``FileError/isNotAFile`` if the path is not a regular file.
  package static func openFile(_ path: PathBytes, followsLinks: Bool = false) throws(FileError) -> CInt {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = path.withCString { openat(AT_FDCWD, $0, flags) }
    guard descriptor >= 0 else { throw .last }
    do throws(FileError) {
      guard try FileStatus(descriptor: descriptor).kind == .file else { throw FileError(code: EINVAL) }
    } catch {
      release(descriptor)
      throw error
    }
    return descriptor
  }

  /// Opens a file for reading and writing without truncating it; a new file has mode 0600.
  package static func openForUpdate(_ path: PathBytes, followsLinks: Bool = false) throws(FileError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = path.withCString { openat(AT_FDCWD, $0, flags, 0o600) }
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  /// Locks the file at a path until its descriptor is closed (`flock`), and creates it if it is missing. Waits for other holders. The system
  /// releases the lock of a process that dies.
  /// - Parameter isExclusive: Whether this is the only holder; otherwise the lock is shared with other shared holders.
  /// - Returns: The descriptor; the caller closes it.
  package static func lock(_ path: PathBytes, isExclusive: Bool) throws(FileError) -> CInt {
    let descriptor = try openForUpdate(path)
    while flock(descriptor, isExclusive ? LOCK_EX : LOCK_SH) != 0 {
      let error = FileError.last
      guard error.code == EINTR else {
        release(descriptor)
        throw error
      }
    }
    return descriptor
  }

  /// Closes a descriptor and ignores errors: what must be on the disk was synced before.
  package static func release(_ descriptor: CInt) { close(descriptor) }

  /// Syncs the content of an open file to the disk.
  package static func sync(_ descriptor: CInt) throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// Writes all bytes at the current position of an open file.
  package static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(FileError) {
    var offset = 0
    while offset < bytes.count {
      let written = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw written == 0 ? FileError(code: EIO) : .last }
      offset += written
    }
  }

  /// Writes all bytes at the current position of an open file.
  package static func append(_ bytes: [UInt8], to descriptor: CInt) throws(FileError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileError) in try append(bytes, to: descriptor) }
    }
    try result.get()
  }

  /// Reads up to a buffer of bytes from an open file; returns their number, 0 at the end.
  package static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: CInt) throws(FileError) -> Int {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Reads an open file from its current position to its end.
  package static func contents(of descriptor: CInt) throws(FileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while true {
      let count = try fill(buffer, from: descriptor)
      if count == 0 { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Renames a path, and replaces a file at the other path.
  /// - Parameter folder: The open folder to which both are relative; by default the working folder.
  package static func move(_ path: PathBytes, to other: PathBytes, in folder: CInt = AT_FDCWD) throws(FileError) {
    guard path.withCString({ from in other.withCString { renameat(folder, from, folder, $0) } }) == 0 else {
      throw .last
    }
  }

  /// Renames a file to a name that does not exist.
  /// - Throws: ``FileError/isInTheWay`` if anything exists there, which stays.
  package static func moveToNewName(
    _ path: PathBytes, to other: PathBytes, in folder: CInt = AT_FDCWD
  ) throws(FileError) {
    guard path.withCString({ from in other.withCString { mediatool_rename_new(folder, from, $0) } }) == 0 else {
      throw .last
    }
  }

  /// Removes a file, or a link itself.
  /// - Returns: Whether it existed.
  @discardableResult
  package static func removeFile(_ path: PathBytes) throws(FileError) -> Bool {
    if path.withCString({ unlink($0) }) == 0 { return true }
    let error = FileError.last
    guard error.isNotFound else { throw error }
    return false
  }

  /// The absolute path with all symbolic links resolved.
  package static func realPath(_ path: PathBytes) throws(FileError) -> PathBytes {
    guard let real = path.withCString({ realpath($0, nil) }) else { throw .last }
    defer { free(real) }
    return PathBytes(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }
}
