package import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What the system's error numbers mean as the result of a file.
extension MediaFailure {
  /// Why a file cannot be opened: `notFound`, `accessDenied`, else `unreadable`.
  /// - Parameter followsLinks: Whether links were followed. Where they were not, a link in the file's place means that the file is gone.
  package static func opening(_ error: FileError, followsLinks: Bool = true) -> MediaFailure {
    let detail = error.description
    switch error.code {
    case ENOENT, ENOTDIR: return .noSuchFile(detail: detail)
    case ELOOP where !followsLinks: return .noSuchFile(detail: detail)
    case EACCES, EPERM: return .mayNotBeRead(detail: detail)
    default: return .cannotBeOpened(detail: detail)
    }
  }

  /// Why a folder cannot be walked. A link that has taken the folder's place is not followed, and is no folder.
  package static func readingFolder(_ error: FileError) -> MediaFailure {
    let detail = error.description
    switch error.code {
    case ENOENT, ENOTDIR, ELOOP: return MediaFailure(.notFound, "The folder does not exist.", detail: detail)
    case EACCES, EPERM: return MediaFailure(.accessDenied, "The folder may not be read.", detail: detail)
    default: return MediaFailure(.unreadable, "The folder cannot be read.", detail: detail)
    }
  }

  /// Of something that is opened only if it is a regular file.
  package static func notRegular(_ kind: FileKind) -> MediaFailure {
    switch kind {
    case .folder: .notAFile("a directory")
    case .pipe: .notAFile("a pipe")
    case .socket: .notAFile("a socket")
    case .link: .notAFile("a symbolic link")
    case .file, .device: .notAFile("a device")
    }
  }
}
