extension MediaInfo {
  /// The wall-clock time at which an image was taken, with its UTC offset where the file states one.
  public struct CaptureTime: Hashable, Sendable {
    /// Calendar year, 1…9999.
    public let year: Int
    /// 1…12.
    public let month: Int
    /// 1…31, valid in its month.
    public let day: Int
    /// 0…23.
    public let hour: Int
    /// 0…59.
    public let minute: Int
    /// 0…59.
    public let second: Int
    /// Seconds east of UTC, in whole minutes; nil when the file does not state an offset.
    public let utcOffset: Int?

    /// Creates a time whose fields are all in range.
    ///
    /// Returns nil for values such as 0000:00:00 or February 30, and for an offset that ISO 8601 cannot express.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, utcOffset: Int? = nil) {
      guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
        (0...59).contains(second), day >= 1, day <= Self.days(inMonth: month, of: year)
      else { return nil }
      // ±15 h: every time zone in use lies between −12 and +14.
      if let utcOffset, !(-54_000...54_000).contains(utcOffset) || utcOffset % 60 != 0 { return nil }
      self.year = year
      self.month = month
      self.day = day
      self.hour = hour
      self.minute = minute
      self.second = second
      self.utcOffset = utcOffset
    }

    /// Creates the time in UTC from seconds since 1970-01-01T00:00:00Z; nil outside the years 1…9999.
    public init?(secondsSince1970 seconds: Int) {
      guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
      // The civil-from-days algorithm: eras of 400 years, counted from 0000-03-01.
      let (dayNumber, secondOfDay) = Self.floorDivide(seconds, 86_400)
      let (era, dayOfEra) = Self.floorDivide(dayNumber + 719_468, 146_097)
      let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let shiftedMonth = (5 * dayOfYear + 2) / 153
      let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
      self.init(
        year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
        day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
        hour: secondOfDay / 3_600, minute: secondOfDay / 60 % 60, second: secondOfDay % 60, utcOffset: 0)
    }

    /// Seconds since 1970-01-01T00:00:00Z, for sorting. A time without an offset counts as UTC.
    public var secondsSince1970: Int {
      let shiftedYear = month <= 2 ? year - 1 : year
      let (era, yearOfEra) = Self.floorDivide(shiftedYear, 400)
      let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
      let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      let days = era * 146_097 + dayOfEra - 719_468
      return days * 86_400 + hour * 3_600 + minute * 60 + second - (utcOffset ?? 0)
    }

    /// The same wall-clock time with a UTC offset in seconds; nil when the offset is out of range.
    public func with(utcOffset: Int) -> CaptureTime? {
      CaptureTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second, utcOffset: utcOffset)
    }

    private static func floorDivide(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
      return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
      switch month {
      case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }
  }
}
