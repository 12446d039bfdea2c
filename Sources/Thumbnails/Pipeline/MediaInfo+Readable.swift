internal import MediaModel

extension MediaInfo {
  /// Throws if the facts state that nothing can be decoded. Truncated and damaged files pass, because parts may be
  /// decodable.
  func checkReadable() throws(MediaFailure) {
    if let error, error.code != .truncated, error.code != .corrupt { throw error }
  }
}
