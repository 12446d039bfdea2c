internal import ISOBaseMedia

/// A location of 3GPP (TS 26.244, 8.10), in the notation that libavformat makes of it: `+27.5916+086.5640+8850.000000/`.
struct MovieLocation {
  private(set) var text = ""

  init(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    var fields = MovieFields(source, body)
    // Language; a name that ends with NUL; its role.
    try fields.skip(6)
    while try fields.unsigned(1) != 0 {}
    try fields.skip(1)
    let (longitude, latitude, altitude) = (try fields.signed(), try fields.signed(), try fields.signed())
    text = Self.decimal(latitude, digits: 2, decimals: 4) + Self.decimal(longitude, digits: 3, decimals: 4)
    if altitude != 0 { text += Self.decimal(altitude, digits: 1, decimals: 6) }
    text += "/"
  }

  /// A 16.16 fixed-point number with a sign, as `printf` writes it: rounded to the nearest, and half to even.
  private static func decimal(_ number: Int32, digits: Int, decimals: Int) -> String {
    let unit: UInt = decimals == 4 ? 10_000 : 1_000_000
    // libavformat has a `float` in between.
    let scaled = Int(Float(number)).magnitude * unit
    let (quotient, rest) = scaled.quotientAndRemainder(dividingBy: 65_536)
    let rounded = quotient + (rest > 32_768 || rest == 32_768 && quotient % 2 == 1 ? 1 : 0)
    func padded(_ value: UInt, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let (whole, fraction) = rounded.quotientAndRemainder(dividingBy: unit)
    return (number < 0 ? "-" : "+") + padded(whole, digits) + "." + padded(fraction, decimals)
  }
}
