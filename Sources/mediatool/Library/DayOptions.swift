internal import ArgumentParser
internal import Foundation

/// The options for a range of days, shared by all verbs that search by time.
struct DayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Include only files taken on or after this day, in UTC. The modification time counts if there is no capture time.",
      valueName: "yyyy-mm-dd"),
    transform: Day.parse)
  var since: Day?

  @Option(
    help: ArgumentHelp("Include only files taken before this day, in UTC.", valueName: "yyyy-mm-dd"),
    transform: Day.parse)
  var until: Day?

  /// Seconds since 1970; nil for all times.
  var times: Range<Int>? {
    guard since != nil || until != nil else { return nil }
    let start = since?.seconds ?? .min
    return start..<max(start, until?.seconds ?? .max)
  }
}

/// The beginning of a day in UTC, the value of `--since`.
struct Day: CheckedArgument {
  let seconds: Int

  init?(argument: String) {
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

  static var allowed: String { "a date such as 2024-06-30" }
}
