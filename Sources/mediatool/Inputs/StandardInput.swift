internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaModel

/// The input that the user names `-`.
enum StandardInput {
  /// Whether another process writes to it while this one reads: a pipe or a socket.
  static var isPipe: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Standard input as a source: the descriptor if it is a file, otherwise up to `limit` bytes in memory.
  static func source(limit: Int, stop: StopSignal) throws(MediaFailure) -> MediaSource {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { throw unreadable(errno) }
    if status.st_mode & S_IFMT == S_IFREG {
      return .descriptor(STDIN_FILENO)
    }
    return try spool(limit: limit, stop: stop)
  }

  private static func spool(limit: Int, stop: StopSignal) throws(MediaFailure) -> MediaSource {
    var spool = try MemoryFile(limit: limit)
    var reader = DescriptorReader(descriptor: STDIN_FILENO, stop: stop)
    while true {
      switch reader.read() {
      case .bytes(let bytes): try spool.append(bytes)
      case .end: return .memory(spool)
      case .stopped: throw MediaFailure(.cancelled, "The run was interrupted.")
      case .failed(let code): throw unreadable(code)
      }
    }
  }

  private static func unreadable(_ code: CInt) -> MediaFailure {
    MediaFailure(.unreadable, "Standard input cannot be read: \(String(cString: strerror(code))).")
  }
}
