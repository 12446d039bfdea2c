extension Int {
  /// Decimal digits in groups of three: `312,004`. For messages; independent of the locale.
  package var grouped: String {
    var digits = Array(String(magnitude))
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: position)
      position -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }
}
