internal import MediaModel

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Failures of a walk that are not system errors.
extension MediaFailure {
  static let loop = MediaFailure(
    .unreadable, "The folder contains itself, for example through a bind mount; it was skipped.")

  static func ignoreFile(_ failure: FolderWalk.IgnoreFile.Failure) -> MediaFailure {
    switch failure {
    case .system(let error) where [EACCES, EPERM].contains(error.code):
      MediaFailure(.accessDenied, "Permission to read the .mediaignore file was denied.")
    case .system(let error):
      MediaFailure(.unreadable, "The .mediaignore file cannot be read.", detail: error.description)
    case .notRegular: MediaFailure(.unreadable, "The .mediaignore file is not a regular file.")
    case .tooLarge:
      MediaFailure(
        .tooLarge, "The .mediaignore file is larger than \(HumanNumbers.limit(1 << 20)) and is ignored; shorten it.")
    }
  }
}
