/// What several parts say alike, each sentence in one place.
extension MediaFailure {
  /// Memory is short, or more is asked for than one file may have.
  package static func outOfMemory(detail: String? = nil) -> MediaFailure {
    MediaFailure(.outOfMemory, "There is not enough memory.", detail: detail)
  }

  /// A deadline has passed.
  package static func timedOut(detail: String? = nil) -> MediaFailure {
    MediaFailure(.timedOut, "The deadline passed.", detail: detail)
  }

  /// A read failed, or the file has become shorter since it was opened.
  package static let readFailed = MediaFailure(.unreadable, "The file cannot be read to its end.")

  /// Nothing stands at that path.
  package static func noSuchFile(detail: String) -> MediaFailure {
    MediaFailure(.notFound, "There is no such file.", detail: detail)
  }

  /// The system says no.
  package static func mayNotBeRead(detail: String) -> MediaFailure {
    MediaFailure(.accessDenied, "The file may not be read.", detail: detail)
  }

  /// Opening failed for another reason.
  package static func cannotBeOpened(detail: String) -> MediaFailure {
    MediaFailure(.unreadable, "The file cannot be opened.", detail: detail)
  }

  /// It is something else: `a directory`.
  package static func notAFile(_ what: String) -> MediaFailure {
    MediaFailure(.unreadable, "It is \(what), not a file.")
  }

  /// The file has no bytes.
  package static let emptyFile = MediaFailure(.empty, "The file is empty.")

  /// The document opens only with a password.
  package static let encryptedDocument = MediaFailure(.encrypted, "The document needs a password.")

  /// Nothing here makes an image of the type.
  package static let noImageOfThisType = MediaFailure(.unsupported, "There is no image of this type of file.")
}
