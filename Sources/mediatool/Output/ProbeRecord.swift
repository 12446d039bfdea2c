internal import FileSupport
internal import MediaModel

/// The JSON record of `probe` for one file.
struct ProbeRecord: Encodable, Sendable {
  /// The file as given.
  let path: PathBytes
  /// Nil if the file could not be opened.
  let info: MediaInfo?
  /// Why it failed.
  let error: MediaFailure?
  /// What was fetched of a remote source.
  var fetched: (bytes: Int, requests: Int)?

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

  private enum Keys: CodingKey { case bytesRead, requests, error }

  func encode(to encoder: any Encoder) throws {
    try PathKeys.encode(path, as: "path", to: encoder)
    if var info {
      info.error = nil
      try info.roundedForDisplay.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: Keys.self)
    try container.encodeIfPresent(fetched?.bytes, forKey: .bytesRead)
    try container.encodeIfPresent(fetched?.requests, forKey: .requests)
    try container.encodeIfPresent(ReportedFailure(error), forKey: .error)
  }
}

extension MediaInfo {
  /// Seconds rounded to milliseconds, degrees to a centimetre, other numbers to their meaningful precision.
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
