extension MediaInfo.CaptureTime: CustomStringConvertible {
  /// ISO 8601 with a precision of one second: `2018-07-25T16:34:23`. `Z` or `+02:00` follows only where the offset is
  /// known.
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

extension MediaInfo.CaptureTime: Codable {
  /// Decodes the string form of ``description``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = Self(iso8601: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not an ISO 8601 date and time such as 2024-06-30T12:00:00Z")
    }
    self = time
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Parses an ISO 8601 time such as `2018-07-25T16:34:23`.
  ///
  /// Drops a fraction of a second. Accepts `Z`, `+02:00`, `+0200` and `+02` as the offset.
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

  /// The UTC offset at the end of an ISO 8601 time. Nil when it is malformed; `.seconds == nil` when there is none.
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
