#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Why the system did not do something with a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's error number (`errno`).
  public let code: Int32

  /// The error of that number.
  public init(code: Int32) { self.code = code }

  /// The system's sentence for the number: `No such file or directory`.
  public var description: String { String(cString: strerror(code)) }

  /// What the last system call of this thread said.
  package static var last: FileError { FileError(code: errno) }

  /// Nothing stands there (`ENOENT`).
  package static let noSuchFile = FileError(code: ENOENT)
  /// What stands there is no folder (`ENOTDIR`).
  package static let notAFolder = FileError(code: ENOTDIR)

  /// Whether nothing stands at the path, or a folder on the way to it is missing or is none.
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether what was opened is no regular file.
  public var isNotAFile: Bool { code == EINVAL }

  /// Whether something stands in the place that is no regular file: a folder, a link, a pipe, a device.
  public var isInTheWay: Bool { code == EEXIST || code == EISDIR }

  /// Whether there is no room left, on the disk or for the user.
  public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
}
