/// Failures that several modules report, so that each message is written once.
extension MediaFailure {
  /// Memory is exhausted, or the file needs more than its limit.
  package static func outOfMemory(detail: String? = nil) -> MediaFailure {
    MediaFailure(.outOfMemory, "Not enough memory.", detail: detail)
  }

  /// A file for data that does not fit into memory cannot be created or written.
  package static func temporaryFolderFailed(detail: String) -> MediaFailure {
    MediaFailure(
      .outOfMemory, "The temporary folder (TMPDIR) is full or cannot be written; free some space or set TMPDIR.",
      detail: detail)
  }

  /// The deadline has passed.
  package static func timedOut(detail: String? = nil) -> MediaFailure {
    MediaFailure(.timedOut, "The file took longer than its deadline.", detail: detail)
  }

  /// A read failed, or the file was truncated after it was opened.
  package static let readFailed = MediaFailure(.unreadable, "The file could not be read completely.")

  /// No file exists at the path.
  package static func noSuchFile(detail: String) -> MediaFailure {
    MediaFailure(.notFound, "The file does not exist.", detail: detail)
  }

  /// The file's permissions do not allow reading it.
  package static func mayNotBeRead(detail: String) -> MediaFailure {
    MediaFailure(.accessDenied, "Permission to read the file was denied.", detail: detail)
  }

  /// The file cannot be opened, for a reason other than permissions or a missing file.
  package static func cannotBeOpened(detail: String) -> MediaFailure {
    MediaFailure(.unreadable, "The file cannot be opened.", detail: detail)
  }

  /// The path names something other than a regular file, such as `a directory`.
  package static func notAFile(_ what: String) -> MediaFailure {
    MediaFailure(.unreadable, "The input is \(what), not a regular file.")
  }

  /// The file has no bytes.
  package static let emptyFile = MediaFailure(.empty, "The file is empty.")

  /// The document is encrypted and needs a password.
  package static let encryptedDocument = MediaFailure(.encrypted, "The document is password-protected.")

  /// No image can be made from files of this type.
  package static let noImageOfThisType = MediaFailure(.unsupported, "Thumbnails of this file type are not supported.")

  /// No decoder for the codec of a video stream is allowed or installed.
  /// - Parameter name: The codec, if it is known.
  package static func unsupportedVideoCodec(_ name: String?) -> MediaFailure {
    MediaFailure(.unsupported, "The video codec\(name.map { " \($0)" } ?? "") is not supported.")
  }

  /// No decoder for the codec of an audio stream is allowed or installed.
  /// - Parameter name: The codec, if it is known.
  package static func unsupportedAudioCodec(_ name: String?) -> MediaFailure {
    MediaFailure(.unsupported, "The audio codec\(name.map { " \($0)" } ?? "") is not supported.")
  }
}
