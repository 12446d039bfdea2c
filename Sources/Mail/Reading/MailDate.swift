/// The instant of a date (RFC 5322 §3.3), with the obsolete forms that old mails have (§4.3).
enum MailDate {
  /// Seconds since 1970; nil if it is malformed. An unknown zone is UTC.
  static func seconds(_ text: String) -> Int? {
    var words = words(text.utf8)
    // The day of the week is optional, and ignored.
    if let first = words.first, number(first) == nil { words.removeFirst() }
    guard words.count >= 4, let day = number(words[0]), let month = months[words[1].prefix(3).lowercased()],
      let written = number(words[2]), let time = timeOfDay(words[3])
    else { return nil }
    let year: Int
    switch (words[2].utf8.count, written) {
    case (2, 0..<50): year = 2_000 + written
    case (2, _), (3, _): year = 1_900 + written
    case (4, 1_900...): year = written
    default: return nil
    }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    guard (1...length).contains(day) else { return nil }
    let zone = words.count > 4 ? offset(words[4]) : 0
    return days(year, month, day) * 86_400 + time - zone
  }

  /// The words of a date without comments.
  private static func words(_ octets: String.UTF8View) -> [String] {
    var result: [String] = []
    var word: [UInt8] = []
    var comments = 0
    func end() {
      if !word.isEmpty { result.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    // What is longer is no date.
    for octet in octets.prefix(256) {
      switch octet {
      case 0x28: comments += 1
      case 0x29: comments = max(0, comments - 1)
      case _ where comments > 0: continue
      case 0x2C, ASCII.space, ASCII.tab: end()
      default: word.append(octet)
      }
    }
    end()
    return result
  }

  /// A number of one to four digits.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
    return Int(text)
  }

  private static let months: [String: Int] = [
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
    "dec": 12,
  ]

  /// Seconds since midnight of `09:30` or `09:30:00`; 60 is a leap second.
  private static func timeOfDay(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0, hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  /// Seconds east of UTC.
  private static func offset(_ zone: String) -> Int {
    if let hours = zones[zone.uppercased()] { return hours * 3_600 }
    guard zone.utf8.count == 5, zone.hasPrefix("+") || zone.hasPrefix("-"), let value = number(zone.dropFirst()),
      value % 100 < 60
    else { return 0 }
    let seconds = value / 100 * 3_600 + value % 100 * 60
    return zone.hasPrefix("-") ? -seconds : seconds
  }

  private static let zones = [
    "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
  ]

  /// Days since 1970-01-01 in the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years begin in March, so that the leap day is the last day.
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
