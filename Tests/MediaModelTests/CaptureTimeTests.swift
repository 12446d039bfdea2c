internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite struct CaptureTimeTests {
  private static let first = -62_135_596_800
  private static let last = 253_402_300_799

  /// The C library's proleptic Gregorian calendar.
  private func fields(_ seconds: Int) -> [Int] {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    return [
      parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
    ].map(Int.init)
  }

  private func fields(_ time: MediaInfo.CaptureTime) -> [Int] {
    [time.year, time.month, time.day, time.hour, time.minute, time.second]
  }

  @Test("Seconds of the years 1 to 9999 have the fields that gmtime returns") func fieldsOfSeconds() throws {
    var generator = SeededGenerator(seed: 1)
    var seconds = (0..<20_000).map { _ in Int.random(in: Self.first...Self.last, using: &generator) }
    seconds += [Self.first, Self.last, -1, 0, 1, 86_399, 86_400, -86_400, -86_401]
    for second in seconds {
      let time = try #require(MediaInfo.CaptureTime(secondsSince1970: second))
      #expect(fields(time) == fields(second), "\(second)")
      #expect(time.utcOffset == 0)
      #expect(time.secondsSince1970 == second)
    }
  }

  @Test("Every day from 1600 to 2400 has the fields that gmtime returns") func fieldsOfDays() throws {
    // Two whole 400-year eras with all leap days and ends of months.
    for day in stride(from: -11_676_096_000, to: 13_569_465_600, by: 86_400) {
      let time = try #require(MediaInfo.CaptureTime(secondsSince1970: day))
      if fields(time) != fields(day) || time.secondsSince1970 != day { Issue.record("\(day): \(time)") }
    }
  }

  @Test("The fields give the same seconds as timegm") func secondsOfFields() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<5_000 {
      let values = [1...9999, 1...12, 1...28, 0...23, 0...59, 0...59].map { Int.random(in: $0, using: &generator) }
      let time = try #require(
        MediaInfo.CaptureTime(
          year: values[0], month: values[1], day: values[2], hour: values[3], minute: values[4], second: values[5]))
      var parts = tm()
      parts.tm_year = Int32(values[0] - 1900)
      parts.tm_mon = Int32(values[1] - 1)
      parts.tm_mday = Int32(values[2])
      parts.tm_hour = Int32(values[3])
      parts.tm_min = Int32(values[4])
      parts.tm_sec = Int32(values[5])
      #expect(time.secondsSince1970 == timegm(&parts), "\(time)")
    }
  }

  @Test("A time outside of the years 1 to 9999 is refused", arguments: [first - 1, last + 1, .min, .max])
  func secondsOutsideOfTheYearRangeAreRejected(seconds: Int) {
    #expect(MediaInfo.CaptureTime(secondsSince1970: seconds) == nil)
  }

  @Test(
    "Dates and times that do not exist are nil",
    arguments: [
      [0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0], [10_000, 1, 1, 0, 0, 0], [2000, 0, 1, 0, 0, 0], [2000, 13, 1, 0, 0, 0],
      [2000, 1, 0, 0, 0, 0], [2000, 1, 32, 0, 0, 0], [2000, 4, 31, 0, 0, 0], [2001, 2, 29, 0, 0, 0],
      [1900, 2, 29, 0, 0, 0],
      [2000, 2, 30, 0, 0, 0], [2000, 1, 1, 24, 0, 0], [2000, 1, 1, 0, 60, 0], [2000, 1, 1, 0, 0, 60],
      [2000, 1, 1, -1, 0, 0],
      [.max, .max, .max, .max, .max, .max], [.min, .min, .min, .min, .min, .min], [2000, 1, .min, 0, 0, 0],
    ])
  func invalidFields(values: [Int]) {
    #expect(
      MediaInfo.CaptureTime(
        year: values[0], month: values[1], day: values[2], hour: values[3], minute: values[4], second: values[5]) == nil
    )
  }

  @Test(
    "Leap days and the first and last day of the range are valid",
    arguments: [[2000, 2, 29], [2004, 2, 29], [1, 1, 1], [9999, 12, 31], [2023, 11, 30]])
  func validDates(values: [Int]) {
    #expect(
      MediaInfo.CaptureTime(year: values[0], month: values[1], day: values[2], hour: 0, minute: 0, second: 0) != nil)
  }

  @Test("An offset from UTC changes the instant, but not the wall clock")
  func anOffsetChangesTheInstantButNotTheWallClock() throws {
    let local = try #require(MediaInfo.CaptureTime(year: 2018, month: 7, day: 25, hour: 16, minute: 34, second: 23))
    #expect(local.utcOffset == nil)
    for offset in stride(from: -54_000, through: 54_000, by: 900) {
      let time = try #require(local.with(utcOffset: offset))
      #expect(fields(time) == fields(local))
      #expect(time.secondsSince1970 == local.secondsSince1970 - offset)
    }
  }

  @Test(
    "An offset beyond 15 hours, or that is not a whole minute, is refused",
    arguments: [54_060, -54_060, 59, -1, 1_172, .max, .min])
  func invalidOffsetsAreRejected(offset: Int) throws {
    let local = try #require(MediaInfo.CaptureTime(year: 2018, month: 7, day: 25, hour: 16, minute: 34, second: 23))
    #expect(local.with(utcOffset: offset) == nil)
  }

  @Test(
    "A capture time is the same after ISO 8601",
    arguments: [
      ("2018-07-25T16:34:23", nil), ("2018-07-25T16:34:23Z", 0), ("2018-07-25T16:34:23+02:00", 7_200),
      ("2018-07-25T16:34:23-09:30", -34_200), ("0001-01-01T00:00:00", nil), ("9999-12-31T23:59:59+15:00", 54_000),
    ] as [(String, Int?)])
  func theISO8601FormRoundTrips(text: String, offset: Int?) throws {
    let time = try #require(MediaInfo.CaptureTime(iso8601: text))
    #expect(time.utcOffset == offset)
    #expect(time.description == text)
  }

  @Test(
    "Spaces, fractions and short offsets of ISO 8601 are accepted and normalised",
    arguments: [
      ("2018-07-25 16:34:23", "2018-07-25T16:34:23"), ("2018-07-25T16:34:23.5", "2018-07-25T16:34:23"),
      ("2018-07-25T16:34:23.123456789Z", "2018-07-25T16:34:23Z"),
      ("2018-07-25T16:34:23,9+0200", "2018-07-25T16:34:23+02:00"),
      ("2018-07-25T16:34:23+0530", "2018-07-25T16:34:23+05:30"),
      ("2018-07-25T16:34:23-08", "2018-07-25T16:34:23-08:00"),
      ("2018-07-25T16:34:23+00:00", "2018-07-25T16:34:23Z"), ("2018-07-25T16:34:23-00:00", "2018-07-25T16:34:23Z"),
    ])
  func otherForms(text: String, canonical: String) {
    #expect(MediaInfo.CaptureTime(iso8601: text)?.description == canonical)
  }

  @Test(
    "Texts in other forms than ISO 8601 are nil",
    arguments: [
      "", "2018", "2018-07-25", "2018-07-25T16:34", "2018:07:25 16:34:23", "2018-07-25x16:34:23", "2018-02-30T00:00:00",
      "0000-00-00T00:00:00", "2018-07-25T16:34:23z", "2018-07-25T16:34:23+2", "2018-07-25T16:34:23+02:0",
      "2018-07-25T16:34:23+0:200", "2018-07-25T16:34:23+:0200", "2018-07-25T16:34:23+02:60",
      "2018-07-25T16:34:23+16:00",
      "2018-07-25T16:34:23+99:99", "2018-07-25T16:34:23Z ", "2018-07-25T16:34:23.", "2018-07-25T16:34:23.Z",
      "2018-07-25T16:34:23+02:00:00", "+018-07-25T16:34:23", "２018-07-25T16:34:23", "2018-07-25T16:34:2\u{0}",
    ])
  func invalidText(text: String) {
    #expect(MediaInfo.CaptureTime(iso8601: text) == nil)
  }

  @Test("Foundation reads the ISO 8601 form as the same instant")
  func foundationParsesTheISO8601Form() throws {
    var generator = SeededGenerator(seed: 3)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<500 {
      // From 1600 on: Foundation uses the Julian calendar for earlier dates.
      let seconds = Int.random(in: -11_676_096_000...Self.last, using: &generator)
      let offset = Int.random(in: -900...900, using: &generator) * 60
      let utc = try #require(MediaInfo.CaptureTime(secondsSince1970: seconds))
      #expect(formatter.date(from: utc.description)?.timeIntervalSince1970 == Double(seconds))
      let zoned = try #require(utc.with(utcOffset: offset))
      #expect(formatter.date(from: zoned.description)?.timeIntervalSince1970 == Double(seconds - offset))
    }
  }

  @Test("A capture time is a string in JSON") func json() throws {
    let time = try #require(MediaInfo.CaptureTime(iso8601: "2018-07-25T16:34:23+02:00"))
    let json = try JSONEncoder().encode([time])
    #expect(String(decoding: json, as: UTF8.self) == #"["2018-07-25T16:34:23+02:00"]"#)
    #expect(try JSONDecoder().decode([MediaInfo.CaptureTime].self, from: json) == [time])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MediaInfo.CaptureTime].self, from: Data(#"["yesterday"]"#.utf8))
    }
  }
}
