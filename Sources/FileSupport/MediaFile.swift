package import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Opens files for decoding: regular files only, with a ``MediaFailure`` for every error.
package enum MediaFile {
  /// Opens the regular file at a path for reading, links followed. Checks the type first, so that a FIFO or a device is never opened.
  /// - Returns: The descriptor; the caller closes it.
  /// - Throws: `notFound`, `accessDenied`, `unreadable`.
  package static func open(_ path: PathBytes) throws(MediaFailure) -> CInt {
    guard !path.hasNUL else { throw .opening(FileError(code: ENOENT)) }
    let kind: FileStatus.Kind
    do throws(FileError) { kind = try FileStatus(at: path).kind } catch { throw .opening(error) }
    guard kind == .file else { throw .notRegular(kind) }
    let descriptor = path.withCString { openat(AT_FDCWD, $0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .opening(.last) }
    return descriptor
  }

  /// The status of an open regular file.
  /// - Throws: `unreadable` if it is not a regular file.
  package static func status(of descriptor: CInt) throws(MediaFailure) -> FileStatus {
    let status: FileStatus
    do throws(FileError) { status = try FileStatus(descriptor: descriptor) } catch { throw .opening(error) }
    guard status.kind == .file else { throw .notRegular(status.kind) }
    return status
  }
}
