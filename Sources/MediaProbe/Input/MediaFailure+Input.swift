internal import CMediaShims
internal import Glibc
package import MediaModel

extension MediaFailure {
  static func opening(_ error: CInt) -> MediaFailure {
    let detail = String(cString: strerror(error))
    switch error {
    case ENOENT, ENOTDIR: return .noSuchFile(detail: detail)
    case EACCES, EPERM: return .mayNotBeRead(detail: detail)
    default: return .cannotBeOpened(detail: detail)
    }
  }

  static func notRegular(_ mode: mode_t) -> MediaFailure {
    switch mode & S_IFMT {
    case S_IFDIR: .notAFile("a directory")
    case S_IFIFO: .notAFile("a pipe")
    case S_IFSOCK: .notAFile("a socket")
    default: .notAFile("a device")
    }
  }

  /// The failure for a read error of the input.
  package static func reading(_ handle: OpaquePointer) -> MediaFailure {
    mediatool_input_timed_out(handle) ? .timedOut() : .readFailed
  }
}
