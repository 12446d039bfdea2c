package import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The failure of a file that a system error number means.
extension MediaFailure {
  /// The failure to open a file: `notFound`, `accessDenied`, otherwise `unreadable`.
  /// - Parameter followsLinks: Whether links were followed. If not, a link means that the file has been replaced: `notFound`.
  package static func opening(_ error: FileError, followsLinks: Bool = true) -> MediaFailure {
    let detail = error.description
    switch error.code {
    case ENOENT, ENOTDIR: return .noSuchFile(detail: detail)
    case ELOOP where !followsLinks: return .noSuchFile(detail: detail)
    case EACCES, EPERM: return .mayNotBeRead(detail: detail)
    default: return .cannotBeOpened(detail: detail)
    }
  }

  /// The failure to walk a folder. A link that has replaced the folder is not followed and counts as a missing folder.
  package static func readingFolder(_ error: FileError) -> MediaFailure {
    let detail = error.description
    switch error.code {
    case ENOTDIR:
      return MediaFailure(
        .notFound, "This is not a folder; name a folder, or inspect a file with `mediatool probe`.", detail: detail)
    case ENOENT, ELOOP: return MediaFailure(.notFound, "The folder does not exist.", detail: detail)
    case EACCES, EPERM: return MediaFailure(.accessDenied, "Permission to read the folder was denied.", detail: detail)
    default: return MediaFailure(.unreadable, "The folder cannot be read.", detail: detail)
    }
  }

  /// The failure to open something that is not a regular file.
  package static func notRegular(_ kind: FileStatus.Kind) -> MediaFailure {
    switch kind {
    case .folder: .notAFile("a folder")
    case .pipe: .notAFile("a pipe")
    case .socket: .notAFile("a socket")
    case .link: .notAFile("a symbolic link")
    case .file, .device: .notAFile("a device")
    }
  }
}
