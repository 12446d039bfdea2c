/// A location in ISO 6709 notation, as in QuickTime, MP4 and 3GP: `+51.5334-000.1255+026.756/`.
struct ISO6709: Hashable {
  /// Latitude in degrees; north is positive.
  let latitude: Double
  /// Longitude in degrees; east is positive.
  let longitude: Double
  /// Altitude in metres above sea level.
  let altitude: Double?

  /// Parses latitude and longitude, optionally followed by altitude, reference system and solidus.
  ///
  /// Nil if malformed or out of range, and for 0°N 0°E, which devices write if they have no location.
  init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8.prefix(128))[...]
    guard let latitude = Self.number(&rest), let longitude = Self.number(&rest) else { return nil }
    let height = Self.number(&rest)
    // Only a reference system ("CRSWGS_84") and the solidus may follow; anything else is not ISO 6709.
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.starts(with: Array("CRS".utf8)) else { return nil }
    guard let north = Self.degrees(latitude, width: 2), let east = Self.degrees(longitude, width: 3),
      abs(north) <= 90, abs(east) <= 180, north != 0 || east != 0
    else { return nil }
    self.latitude = north
    self.longitude = east
    // From the deepest ocean to the edge of space.
    altitude = height.map { $0.sign * $0.value }.flatMap { (-12_000...100_000).contains($0) ? $0 : nil }
  }

  private struct Number {
    let sign: Double
    /// Number of digits before the decimal point, which distinguishes degrees from degrees and minutes.
    let digits: Int
    let value: Double
  }

  /// Consumes a sign, digits and an optional fraction.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> Number? {
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let whole = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
    var after = rest.dropFirst(1 + whole.count)
    var fraction: ArraySlice<UInt8> = []
    if after.first == UInt8(ascii: ".") || after.first == UInt8(ascii: ",") {
      fraction = after.dropFirst().prefix { (0x30...0x39).contains($0) }
      after = after.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty, whole.count <= 7, fraction.count <= 20,
      let value = Double(String(decoding: whole, as: UTF8.self) + "." + String(decoding: fraction, as: UTF8.self) + "0")
    else { return nil }
    rest = after
    return Number(sign: sign == UInt8(ascii: "-") ? -1 : 1, digits: whole.count, value: value)
  }

  /// `DD.D`, `DDMM.M` or `DDMMSS.S`, with `width` digits of degrees.
  private static func degrees(_ number: Number, width: Int) -> Double? {
    switch number.digits {
    case ...width: return number.sign * number.value
    case width + 2:
      let (whole, minutes) = split(number.value, 100)
      return minutes < 60 ? number.sign * (whole + minutes / 60) : nil
    case width + 4:
      let (whole, rest) = split(number.value, 10_000)
      let (minutes, seconds) = split(rest, 100)
      return minutes < 60 && seconds < 60 ? number.sign * (whole + minutes / 60 + seconds / 3_600) : nil
    default: return nil
    }
  }

  private static func split(_ value: Double, _ unit: Double) -> (whole: Double, rest: Double) {
    let whole = (value / unit).rounded(.down)
    return (whole, value - whole * unit)
  }
}
