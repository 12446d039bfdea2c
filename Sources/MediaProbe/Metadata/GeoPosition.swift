/// A WGS 84 location.
///
/// An unknown location is nil, never 0°, 0°. The file must state both numbers and both hemispheres. Zero over zero, a
/// missing hemisphere and numbers out of range give nil. A file with `0/1 0/1 0/1 N` and `0/1 0/1 0/1 E` does state a
/// location in the Gulf of Guinea, and exiftool and exiv2 print it. It is rejected only if the file also states that
/// there was no fix.
struct GeoPosition: Hashable {
  /// Latitude in degrees; north is positive.
  let latitude: Double
  /// Longitude in degrees; east is positive.
  let longitude: Double

  init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Reads the location from an EXIF GPS directory.
  init?(exif gps: TIFFDirectory) {
    guard let latitude = Self.degrees(gps, value: 2, hemisphere: 1, positive: "N", negative: "S"),
      let longitude = Self.degrees(gps, value: 4, hemisphere: 3, positive: "E", negative: "W")
    else { return nil }
    // GPSStatus V: the receiver had no fix.
    if latitude == 0, longitude == 0, gps.text(9)?.hasPrefix("V") == true { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// The altitude in metres above sea level from an EXIF GPS directory.
  ///
  /// An altitude of exactly zero counts only together with a location, for the same reason. Above 100 km it is
  /// implausible.
  static func altitude(exif gps: TIFFDirectory) -> Double? {
    guard let metres = gps.number(6), abs(metres) <= 100_000 else { return nil }
    if metres == 0, GeoPosition(exif: gps) == nil { return nil }
    // Below sea level: 1; below the reference ellipsoid (EXIF 3.0): 3.
    let reference = gps.integer(5) ?? gps.bytes(5, limit: 1)?.bytes.first.map { Int($0) }
    return reference == 1 || reference == 3 ? -metres : metres
  }

  /// Reads degrees, optional minutes and seconds, and the mandatory hemisphere.
  private static func degrees(
    _ gps: TIFFDirectory, value: Int, hemisphere: Int, positive: Character, negative: Character
  ) -> Double? {
    guard let letter = gps.text(hemisphere)?.uppercased().first, letter == positive || letter == negative,
      let entry = gps.entry(value)
    else { return nil }
    var degrees = 0.0
    for index in 0..<min(3, entry.count) {
      guard let number = gps.number(value, index), number >= 0 else { return nil }
      degrees += number / [1, 60, 3_600][index]
    }
    return letter == negative ? -degrees : degrees
  }

  /// Parses XMP's `39,6.9N` and `108,24,3.5W` (XMP specification part 2, GPSCoordinate).
  init?(xmpLatitude: String, longitude xmpLongitude: String) {
    guard let latitude = Self.degrees(xmp: xmpLatitude, positive: "N", negative: "S"),
      let longitude = Self.degrees(xmp: xmpLongitude, positive: "E", negative: "W")
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  private static func degrees(xmp text: String, positive: Character, negative: Character) -> Double? {
    guard text.utf8.count <= 64, let letter = text.uppercased().last, letter == positive || letter == negative else {
      return nil
    }
    var degrees = 0.0
    let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    for (part, unit) in zip(parts, [1.0, 60, 3_600]) {
      guard let number = Double(part), number.isFinite, number >= 0 else { return nil }
      degrees += number / unit
    }
    return letter == negative ? -degrees : degrees
  }

  /// Parses XMP's `14839/10`, with its reference `1` for below sea level.
  static func altitude(xmp text: String, reference: String?) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let upper = parts.first.flatMap({ Double($0) }) else { return nil }
    var metres = upper
    if parts.count == 2 {
      guard let lower = Double(parts[1]) else { return nil }
      metres /= lower
    }
    // A denominator of zero gives infinity or NaN.
    guard metres.isFinite, abs(metres) <= 100_000 else { return nil }
    return reference == "1" ? -metres : metres
  }
}
