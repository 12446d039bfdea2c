#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension FileSystem {
  /// Opens what is at a path for writing, if bytes are written through it and not kept in it: a FIFO that a process reads, a terminal,
  /// another character device. A link is followed to these alone, as in `/dev/stdout` and `/dev/fd/63`.
  ///
  /// Never waits for a reader. Writing to the descriptor waits until there is room.
  /// - Returns: The descriptor, which is the caller's; nil where a regular file or nothing is at the path.
  /// - Throws: ``FileError/isInTheWay`` for a folder, a block device, and a link to anything else; ``FileError/hasNoReader`` for a FIFO
  ///   without a reader and for a socket.
  package static func openStream(_ path: PathBytes) throws(FileError) -> CInt? {
    guard !path.hasNUL, !path.name.isEmpty else { throw FileError(code: EINVAL) }
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else {
      if errno == ENOENT { return nil }
      throw .last
    }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    if isLink {
      // One that leads nowhere is in the way too: following it would create the file that it names.
      guard path.withCString({ stat($0, &status) }) == 0 else { throw FileError(code: EEXIST) }
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG where !isLink: return nil
    case S_IFDIR where !isLink: throw FileError(code: EISDIR)
    case S_IFIFO, S_IFCHR, S_IFSOCK: break
    default: throw FileError(code: EEXIST)
    }
    let descriptor = path.withCString { openat(AT_FDCWD, $0, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw .last }
    do throws(FileError) {
      // Something else may have taken its place meanwhile: nothing is written into a file.
      guard fstat(descriptor, &status) == 0 else { throw .last }
      guard [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else { throw FileError(code: EEXIST) }
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 else { throw .last }
    } catch {
      release(descriptor)
      throw error
    }
    return descriptor
  }
}
