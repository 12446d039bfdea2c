#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An error of a file operation: the system's `errno`.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's error number (`errno`).
  public let code: Int32

  /// An error with this value of `errno`.
  public init(code: Int32) { self.code = code }

  /// The system's message for the number, for example `No such file or directory`.
  public var description: String { String(cString: strerror(code)) }

  /// The error of the last system call on this thread.
  package static var last: FileError { FileError(code: errno) }

  /// The path does not exist (`ENOENT`).
  package static let noSuchFile = FileError(code: ENOENT)
  /// The path is not a folder (`ENOTDIR`).
  package static let notAFolder = FileError(code: ENOTDIR)

  /// Whether the path does not exist, or a component above it is missing or not a folder.
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the path is not a regular file.
  public var isNotAFile: Bool { code == EINVAL }

  /// Whether a folder, a link, a pipe or a device occupies the path of a file to write.
  public var isInTheWay: Bool { code == EEXIST || code == EISDIR }

  /// Whether no process reads the FIFO, or the path is a socket (`ENXIO`).
  package var hasNoReader: Bool { code == ENXIO }

  /// Whether the disk or the user's quota is full.
  public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}
