internal import MediaModel

/// The value of `--at`, a moment of a video: seconds, or a percentage of the duration.
struct PosterMoment: CheckedArgument {
  let value: ThumbnailOptions.PosterPosition

  init?(argument: String) {
    // Digits only: Double would also accept "infinity" and "0x1p3".
    let isPercent = argument.hasSuffix("%")
    let digits = isPercent ? argument.dropLast() : argument[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }), let number = Double(digits),
      number.isFinite, number <= (isPercent ? 100 : 1e9)
    else { return nil }
    value = isPercent ? .fraction(number / 100) : .seconds(number)
  }

  static var allowed: String { "seconds from the start, such as 12.5, or a percentage up to 100%" }
}
