internal import FileSupport
internal import MediaModel

/// What `probe` says of one file.
struct ProbeRecord: Encodable, Sendable {
  /// The file as it was named.
  let path: PathBytes
  /// Nil when the file could not be opened, so that nothing at all is known of it.
  let info: MediaInfo?
  /// What went wrong.
  let error: MediaFailure?

  init(path: PathBytes, info: MediaInfo) {
    self.path = path
    self.info = info
    error = info.error
  }

  init(path: PathBytes, failure: MediaFailure) {
    self.path = path
    info = nil
    error = failure
  }

  private enum Keys: CodingKey { case error }

  func encode(to encoder: any Encoder) throws {
    try PathKeys.encode(path, as: "path", to: encoder)
    if let info {
      try info.roundedForDisplay.encode(to: encoder)
    } else {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encodeIfPresent(error, forKey: .error)
    }
  }
}

extension MediaInfo {
  /// Seconds to the millisecond, degrees to a centimetre, the rest to what such a number can mean.
  fileprivate var roundedForDisplay: MediaInfo {
    var info = self
    info.duration = duration?.rounded(toPlaces: 3)
    info.frameRate = frameRate?.rounded(toPlaces: 3)
    info.latitude = latitude?.rounded(toPlaces: 7)
    info.longitude = longitude?.rounded(toPlaces: 7)
    info.altitude = altitude?.rounded(toPlaces: 3)
    return info
  }
}
