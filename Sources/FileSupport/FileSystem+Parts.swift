#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Calls for files that are read and written in pieces, over a long time.
extension FileSystem {
  /// Fills a buffer from an offset of an open file, whatever its position; returns the number of bytes, fewer than asked for at the end.
  package static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: CInt, at offset: Int
  ) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes all bytes at an offset of an open file, whatever its position.
  package static func writeBytes(
    _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int
  ) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let written = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw written == 0 ? FileError(code: EIO) : .last }
      done += written
    }
  }

  /// Cuts an open file, or extends it with zeros.
  package static func cut(_ descriptor: CInt, to bytes: Int) throws(FileError) {
    while ftruncate(descriptor, off_t(bytes)) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }

  /// Syncs the content and the size of an open file to the disk, without its times where the system can.
  package static func syncData(_ descriptor: CInt) throws(FileError) {
    #if canImport(Darwin)
    guard fsync(descriptor) == 0 else { throw .last }
    #else
    guard fdatasync(descriptor) == 0 else { throw .last }
    #endif
  }

  /// Gives a file a second name (a hard link) that does not exist yet.
  package static func link(_ path: PathBytes, to other: PathBytes) throws(FileError) {
    guard path.withCString({ from in other.withCString { linkat(AT_FDCWD, from, AT_FDCWD, $0, 0) } }) == 0 else {
      throw .last
    }
  }
}
