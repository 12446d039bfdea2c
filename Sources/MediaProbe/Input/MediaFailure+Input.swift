internal import CMediaShims
internal import Glibc
package import MediaModel

extension MediaFailure {
  static func opening(_ error: CInt) -> MediaFailure {
    let detail = String(cString: strerror(error))
    switch error {
    case ENOENT, ENOTDIR: return MediaFailure(.notFound, "There is no such file.", detail: detail)
    case EACCES, EPERM: return MediaFailure(.accessDenied, "The file may not be read.", detail: detail)
    default: return MediaFailure(.unreadable, "The file cannot be opened.", detail: detail)
    }
  }

  static func notRegular(_ mode: mode_t) -> MediaFailure {
    let what =
      switch mode & S_IFMT {
      case S_IFDIR: "a directory"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    return MediaFailure(.unreadable, "It is \(what), not a file.")
  }

  package static func reading(_ handle: OpaquePointer) -> MediaFailure {
    mediatool_input_timed_out(handle)
      ? MediaFailure(.timedOut, "The deadline passed.")
      : MediaFailure(.unreadable, "The file cannot be read to its end.")
  }
}
