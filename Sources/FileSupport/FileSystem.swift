#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The system calls about open files and single paths, with one error type. Those that come back too early are called again.
package enum FileSystem {
  /// Opens a regular file for reading. No link is followed in its place, and neither a FIFO nor a device makes the call wait.
  /// - Returns: The descriptor, which is the caller's.
  /// - Throws: ``FileError/isNotAFile`` for anything else.
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

  /// Opens a file for writing in place, for this user alone where it is made; what was in it stays.
  package static func openForUpdate(_ path: PathBytes, followsLinks: Bool = false) throws(FileError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = path.withCString { openat(AT_FDCWD, $0, flags, 0o600) }
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  /// Locks the file of a path until its descriptor is closed (`flock`); it is made where it is missing. Waits for others that hold it. A process
  /// that dies gives its lock back.
  /// - Parameter isExclusive: Whether nobody else may hold it; else others may that do not want it for themselves either.
  /// - Returns: The descriptor, which is the caller's.
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

  /// Closes a descriptor.
  package static func release(_ descriptor: CInt) { close(descriptor) }

  /// Brings the content of an open file to the disk.
  package static func sync(_ descriptor: CInt) throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// Writes all bytes where an open file stands.
  package static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(FileError) {
    var offset = 0
    while offset < bytes.count {
      let written = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw written == 0 ? FileError(code: EIO) : .last }
      offset += written
    }
  }

  /// Writes all bytes where an open file stands.
  package static func append(_ bytes: [UInt8], to descriptor: CInt) throws(FileError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileError) in try append(bytes, to: descriptor) }
    }
    try result.get()
  }

  /// The next bytes of an open file, as many as there are and fit; 0 at its end.
  package static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: CInt) throws(FileError) -> Int {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// All bytes of an open file from where it stands.
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

  /// Moves what is at one path to another, in place of a file that is there.
  package static func move(_ path: PathBytes, to other: PathBytes) throws(FileError) {
    guard path.withCString({ from in other.withCString { rename(from, $0) } }) == 0 else { throw .last }
  }

  /// Removes a file; a link itself and not where it leads.
  /// - Returns: Whether it was there.
  @discardableResult
  package static func removeFile(_ path: PathBytes) throws(FileError) -> Bool {
    if path.withCString({ unlink($0) }) == 0 { return true }
    let error = FileError.last
    guard error.isNotFound else { throw error }
    return false
  }

  /// The absolute path without a link in it.
  package static func realPath(_ path: PathBytes) throws(FileError) -> PathBytes {
    guard let real = path.withCString({ realpath($0, nil) }) else { throw .last }
    defer { free(real) }
    return PathBytes(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }
}
