/// Dates in the form of HTTP (RFC 9110, section 5.6.7), and of JSON.
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, of seconds since 1970. Negative ones are those of 1970-01-01.
  static func field(_ seconds: Int) -> String {
    let date = parts(seconds)
    return
      "\(days[date.days % 7]), \(two(date.day)) \(months[date.month - 1]) \(date.year) \(two(date.hour)):\(two(date.minute)):\(two(date.second)) GMT"
  }

  /// `1994-11-06T08:49:37Z`.
  static func iso8601(_ seconds: Int) -> String {
    let date = parts(seconds)
    return
      "\(date.year)-\(two(date.month))-\(two(date.day))T\(two(date.hour)):\(two(date.minute)):\(two(date.second))Z"
  }

  private struct Parts {
    var days, year, month, day, hour, minute, second: Int
  }

  /// The civil date of a number of days (Howard Hinnant, "chrono-compatible low-level date algorithms").
  private static func parts(_ seconds: Int) -> Parts {
    let bounded = min(max(0, seconds), 253_402_300_799)
    let (days, time) = bounded.quotientAndRemainder(dividingBy: 86_400)
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return Parts(
      days: days, year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, hour: time / 3_600, minute: time / 60 % 60,
      second: time % 60)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
