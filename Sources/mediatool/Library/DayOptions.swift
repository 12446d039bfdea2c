internal import ArgumentParser
internal import Foundation

/// The options for a range of days, shared by all commands that search by time.
struct DayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Include only files taken on or after this day (UTC), or within a period before now, such as 12h, 7d or 2w. Files without a capture time count by their modification time.",
      valueName: "yyyy-mm-dd|7d"),
    transform: Day.parse)
  var since: Day?

  @Option(
    help: ArgumentHelp(
      "Include only files taken before this day (UTC), or longer ago than a period such as 7d.",
      valueName: "yyyy-mm-dd|7d"),
    transform: Day.parse)
  var until: Day?

  /// Seconds since 1970; nil for all times.
  var times: Range<Int>? {
    guard since != nil || until != nil else { return nil }
    let start = since?.seconds ?? .min
    return start..<max(start, until?.seconds ?? .max)
  }
}

/// A time as `--since` takes it: a day at its beginning in UTC, or so many hours, days or weeks ago.
struct Day: CheckedArgument {
  let seconds: Int

  init?(argument: String) { self.init(argument: argument, now: Int(Date().timeIntervalSince1970)) }

  /// - Parameter now: Seconds since 1970.
  init?(argument: String, now: Int) {
    let units: [Character: Int] = ["h": 3_600, "d": 86_400, "w": 604_800]
    if let unit = argument.last.flatMap({ units[$0] }) {
      guard let count = Number.whole(argument.dropLast(), in: 1...1_000_000) else { return nil }
      seconds = now - count * unit
      return
    }
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Number.whole(parts[0], in: 1...9_999),
      let month = Number.whole(parts[1], in: 1...12),
      let day = Number.whole(parts[2], in: 1...31)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let components = DateComponents(year: year, month: month, day: day)
    guard let date = calendar.date(from: components), calendar.component(.day, from: date) == day else { return nil }
    seconds = Int(date.timeIntervalSince1970)
  }

  static var allowed: String { "a date such as 2024-06-30, or a time before now such as 12h, 7d or 2w" }
}
