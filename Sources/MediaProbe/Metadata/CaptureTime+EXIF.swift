internal import MediaModel

extension MediaInfo.CaptureTime {
  /// Parses EXIF's `2018:07:25 16:34:23`; nil for blanks and for dates such as 0000:00:00.
  ///
  /// Any single character may separate the numbers (writers also use `-`, `/`, `T`). An offset may follow, as some
  /// phones write it.
  init?(exif bytes: [UInt8]) {
    let text = Array(bytes.prefix { $0 != 0 })
    guard text.count >= 19 else { return nil }
    func number(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for byte in text[start..<start + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
      let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2)
    else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      utcOffset: Self.utcOffset(exif: Array(text.dropFirst(19))))
  }

  /// Parses EXIF's `+02:00` or `Z` as seconds east of UTC; nil for blanks and anything else.
  static func utcOffset(exif bytes: [UInt8]) -> Int? {
    let text = bytes.prefix { $0 != 0 }.filter { $0 != 0x20 }
    if text == [0x5A] { return 0 }
    guard let sign = text.first, sign == 0x2B || sign == 0x2D else { return nil }
    let digits = text.dropFirst().filter { $0 != 0x3A }
    guard digits.count == 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let numbers = digits.map { Int($0) - 0x30 }
    let minutes = (numbers[0] * 10 + numbers[1]) * 60 + numbers[2] * 10 + numbers[3]
    guard numbers[2] < 6, minutes <= 15 * 60 else { return nil }
    return (sign == 0x2D ? -60 : 60) * minutes
  }

  /// Parses XMP's date: ISO 8601, where seconds are optional. Nil for a date without a time, because midnight would be
  /// made up.
  init?(xmp text: String) {
    if let whole = MediaInfo.CaptureTime(iso8601: text) {
      self = whole
      return
    }
    let bytes = Array(text.utf8)
    guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T"), bytes.count == 16 || bytes[16] != UInt8(ascii: ":"),
      let filled = MediaInfo.CaptureTime(iso8601: text.prefix(16) + ":00" + text.dropFirst(16))
    else { return nil }
    self = filled
  }
}
