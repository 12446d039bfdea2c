package import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Opens what is to be decoded: regular files and nothing else, with a ``MediaFailure`` for all that goes wrong.
package enum MediaFile {
  /// Opens the regular file at a path for reading, links followed. The path is looked at before, so that a FIFO or a device is never opened.
  /// - Returns: The descriptor, which is the caller's.
  /// - Throws: `notFound`, `accessDenied`, `unreadable`.
  package static func open(_ path: PathBytes) throws(MediaFailure) -> CInt {
    guard !path.hasNUL else { throw .opening(FileError(code: ENOENT)) }
    let kind: FileKind
    do throws(FileError) { kind = try FileStatus(at: path).kind } catch { throw .opening(error) }
    guard kind == .file else { throw .notRegular(kind) }
    let descriptor = path.withCString { openat(AT_FDCWD, $0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .opening(.last) }
    return descriptor
  }

  /// The state of an open regular file.
  /// - Throws: `unreadable` for anything else.
  package static func status(of descriptor: CInt) throws(MediaFailure) -> FileStatus {
    let status: FileStatus
    do throws(FileError) { status = try FileStatus(descriptor: descriptor) } catch { throw .opening(error) }
    guard status.kind == .file else { throw .notRegular(status.kind) }
    return status
  }
}
