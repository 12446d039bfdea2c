internal import MediaLibrary

/// A location in a request. Its source is the device or the person, never a file.
struct StatedLocation: Decodable, Sendable {
  let value: Location

  private enum Keys: CodingKey { case latitude, longitude, altitude, source }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    let source = try values.decodeIfPresent(Location.Source.self, forKey: .source) ?? .user
    guard
      let location = Location(
        latitude: try values.decode(Double.self, forKey: .latitude),
        longitude: try values.decode(Double.self, forKey: .longitude),
        altitude: try values.decodeIfPresent(Double.self, forKey: .altitude), source: source), source != .file
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: values, debugDescription: "latitude, longitude or source is invalid")
    }
    value = location
  }
}

/// Texts and times in requests about moments and trips.
enum MomentFields {
  /// The years 1 to 9999, which ISO 8601 can state, in seconds since 1970.
  static let times = -62_135_596_800...253_402_300_799

  /// Seconds east of UTC: more than any time zone.
  static let utcOffsets = -54_000...54_000

  /// Fails for a time that no date has.
  static func check(time: Int?, _ name: String) throws(ServiceError) {
    guard let time, !times.contains(time) else { return }
    throw ServiceError(.invalidRequest, "`\(name)` must be a time in seconds since 1970, in the years 1 to 9999.")
  }

  /// Fails for an offset that no time zone has.
  static func check(utcOffset: Int?) throws(ServiceError) {
    guard let utcOffset, !utcOffsets.contains(utcOffset) || utcOffset % 60 != 0 else { return }
    throw ServiceError(
      .invalidRequest, "`utcOffset` must be seconds east of UTC in whole minutes, at most 15 hours.")
  }

  /// Fails for a text that is too long.
  static func check(_ text: String?, _ name: String, limit: Int) throws(ServiceError) {
    guard let text, text.unicodeScalars.count > limit else { return }
    throw ServiceError(
      .invalidRequest, "`\(name)` has \(text.unicodeScalars.count) characters; the limit is \(limit).",
      numbers: ["limit": limit, "actual": text.unicodeScalars.count])
  }

  /// The number of an id in the one spelling that it has: digits without zeros before them.
  static func number(_ text: String) -> Int64? {
    guard let number = Int64(text), number > 0, "\(number)" == text else { return nil }
    return number
  }

  /// The ids of moments; one that is malformed is as unknown as one that does not exist.
  static func moments(_ ids: [String]) throws(ServiceError) -> [Moment.ID] {
    var moments: [Moment.ID] = []
    for id in ids {
      guard let number = number(id) else { throw .notFound }
      moments.append(Moment.ID(rawValue: number))
    }
    return moments
  }

  /// The ids of trips; one that is malformed is as unknown as one that does not exist.
  static func trips(_ ids: [String]) throws(ServiceError) -> [Trip.ID] {
    try moments(ids).map { Trip.ID(rawValue: $0.rawValue) }
  }
}
