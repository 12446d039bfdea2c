internal import GRDB
internal import MediaModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// New files, with one statement per file. Inserting an empty row and updating it step by step would write the row and its indexes five times;
/// a first scan spent half of its time on that.
extension CatalogueWriter {
  mutating func insert(_ stamp: FileStamp, _ result: FileResult) throws {
    let content = try content(of: nil, sameAsBefore: false, digest: result.digest, info: result.info)
    let isWhole = try keep(result, of: content)
    let (time, source) = Self.time(of: stamp, result.info)
    let location = location(of: result.info)
    try run(
      WriterQueries.insertDone,
      try stampArguments(stamp) + [
        content, result.info.kind.number, time, source, try FactsCoding.encode(result.info.mismatch),
        location?.latitude, location?.longitude, location?.altitude, location?.source.rawValue, location?.code,
        try word(result.engine), isWhole ? try word(result.recipe) : nil,
      ])
  }

  /// Stores what was made of a file content.
  /// - Returns: Whether all renditions are in the store (see ``put(_:of:)``) and none is a draft. Otherwise the file gets no
  ///   recipe, and the next scan makes the renditions again.
  func keep(_ result: FileResult, of content: Int64) throws -> Bool {
    try put(result.placeholder, of: content)
    var isWhole = true
    for rendition in result.renditions {
      let isDraft = rendition.from == .embedded && !result.info.showsOnlyEmbeddedImage
      if try !put(rendition, of: content) || isDraft { isWhole = false }
    }
    return isWhole
  }

  /// Stores the placeholder of a file content, if there is one.
  func put(_ placeholder: Placeholder?, of content: Int64) throws {
    guard let placeholder else { return }
    try run(
      "UPDATE content SET thumbhash = ?, blurhash = ?, color = ? WHERE id = ?",
      [placeholder.thumbhash, placeholder.blurhash, placeholder.color, content])
  }

  /// The time of a file in seconds since 1970, and its source. A capture time more than a day after the last change of the file is a camera's wrong
  /// clock; the day allows for time zones (docs/decisions/0031).
  static func time(of stamp: FileStamp, _ info: MediaInfo) -> (seconds: Int64, source: String) {
    guard let taken = info.takenAt?.secondsSince1970, taken <= stamp.changed.secondsDown + 86_400 else {
      return (stamp.modified.secondsDown, "file")
    }
    return (Int64(taken), info.takenAtSource?.rawValue ?? "unknown")
  }

  /// The location stated in the file, if locations are stored.
  func location(of info: MediaInfo) -> Location? {
    guard keepsLocations, let latitude = info.latitude, let longitude = info.longitude else { return nil }
    return Location(latitude: latitude, longitude: longitude, altitude: info.altitude, source: .file)
  }
}
