/// When a picture was taken, as the file says it: a wall-clock time, with the offset from UTC only where the file states one.
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
  /// Seconds east of UTC, whole minutes; nil when the file does not say.
  public let utcOffset: Int?

  /// A time whose fields are all in range; nil for the likes of 0000:00:00 or a 30th of February, or for an offset that ISO 8601
  /// cannot write.
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, utcOffset: Int? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
      (0...59).contains(second), day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    // ±15 h: every zone in use lies within −12…+14.
    if let utcOffset, !(-54_000...54_000).contains(utcOffset) || utcOffset % 60 != 0 { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.utcOffset = utcOffset
  }

  /// A moment given as seconds since 1970-01-01T00:00:00Z; nil outside the years 1…9999.
  public init?(secondsSince1970 seconds: Int) {
    guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
    // Civil-from-days in 400-year eras, counted from 0000-03-01.
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

  /// Seconds since 1970 of this moment, its wall clock taken as UTC when no offset is known: the key for sorting.
  public var secondsSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = Self.floorDivide(shiftedYear, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return days * 86_400 + hour * 3_600 + minute * 60 + second - (utcOffset ?? 0)
  }

  /// The same wall clock with an offset; nil when the offset is out of range.
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

extension CaptureTime: CustomStringConvertible {
  /// ISO 8601, seconds precision: `2018-07-25T16:34:23`, with `Z` or `+02:00` only where the offset is known.
  public var description: String {
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let local =
      "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))"
    guard let utcOffset else { return local }
    if utcOffset == 0 { return local + "Z" }
    let minutes = abs(utcOffset) / 60
    return local + (utcOffset < 0 ? "-" : "+") + padded(minutes / 60) + ":" + padded(minutes % 60)
  }
}

extension CaptureTime: Codable {
  /// Reads the form that ``description`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = CaptureTime(iso8601: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 time: \(text)")
    }
    self = time
  }

  /// Writes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads `2018-07-25T16:34:23`, a fraction of a second (dropped), and `Z`, `+02:00`, `+0200` or `+02` after it.
  public init?(iso8601 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[start..<start + count] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"),
      let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
      let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2)
    else { return nil }
    var at = 19
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") || bytes[at] == UInt8(ascii: ",") {
      at += 1
      let fraction = at
      while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
      guard at > fraction else { return nil }
    }
    guard let offset = Self.utcOffset(ofISO8601: bytes[at...]) else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, utcOffset: offset.seconds)
  }

  /// The zone at the end of an ISO 8601 time: nil when it is malformed, `.seconds == nil` when there is none.
  private static func utcOffset(ofISO8601 bytes: ArraySlice<UInt8>) -> (seconds: Int?, Void)? {
    guard let sign = bytes.first else { return (nil, ()) }
    if sign == UInt8(ascii: "Z"), bytes.count == 1 { return (0, ()) }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    var digits = Array(bytes.dropFirst())
    if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let numbers = digits.map { Int($0 - 0x30) } + [0, 0]
    let minutes = numbers[2] * 10 + numbers[3]
    guard minutes < 60 else { return nil }
    let seconds = (numbers[0] * 10 + numbers[1]) * 3_600 + minutes * 60
    return (sign == UInt8(ascii: "-") ? -seconds : seconds, ())
  }
}
