internal import MediaModel

extension MediaInfo {
  /// Refuses a file whose facts say that there is nothing to decode. What is cut short or damaged may still show something.
  func checkReadable() throws(MediaFailure) {
    if let error, error.code != .truncated, error.code != .corrupt { throw error }
  }
}
