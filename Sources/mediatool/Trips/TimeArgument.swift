internal import MediaModel

/// A time of a trip: a day, a time with its offset, or so long ago.
struct TimeArgument: CheckedArgument {
  /// Seconds since 1970; nil for `open`.
  let seconds: Int?

  init?(argument: String) {
    if argument == "open" {
      seconds = nil
    } else if let day = Day(argument: argument) {
      seconds = day.seconds
    } else if let time = MediaInfo.CaptureTime(iso8601: argument) {
      seconds = time.secondsSince1970
    } else {
      return nil
    }
  }

  static var allowed: String { "a date such as 2024-06-30, a time such as 2024-06-30T12:00:00Z, or 7d" }

  /// The day of a time in UTC.
  static func day(_ seconds: Int) -> String {
    MediaInfo.CaptureTime(secondsSince1970: seconds).map(HumanNumbers.day) ?? "\(seconds)"
  }
}
