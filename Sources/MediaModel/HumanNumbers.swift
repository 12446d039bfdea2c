/// Sizes, durations, times and dimensions as people read them, in English and independent of the locale: in tables, pages and messages.
///
/// The page of the service writes them in the same form (`dom.js`). Lengths of texts, such as lines and names, are exact instead: `65,536 bytes`.
package enum HumanNumbers {
  /// Bytes in powers of 1,000, as file managers show them, below ten with one decimal: `12 B`, `4.8 kB`, `153 MB` (A12). Less than 0 counts as 0.
  package static func size(_ bytes: Int) -> String { Scaled(bytes).text }

  /// A limit in bytes: its size, and the exact number if that is rounded (C18): `300 kB`, `105 MB (100 MiB)`, `1.5 kB (1,537 bytes)`.
  package static func limit(_ bytes: Int) -> String {
    let scaled = Scaled(bytes)
    return scaled.isExact ? scaled.text : "\(scaled.text) (\(exact(bytes)))"
  }

  /// A size and the limit that it exceeds; both in bytes if they would look equal.
  package static func sizes(_ actual: Int, limit: Int) -> (actual: String, limit: String) {
    let text = size(actual)
    return text == size(limit)
      ? ("\(actual.grouped) bytes", "\(limit.grouped) bytes") : (text, self.limit(limit))
  }

  /// The largest power of 1,024 of which it is a multiple.
  private static func exact(_ bytes: Int) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    let (factor, unit) = units.first { bytes.isMultiple(of: $0.0) } ?? (1, "bytes")
    return "\((bytes / factor).grouped) \(unit)"
  }

  /// A number of bytes in its unit.
  private struct Scaled {
    let text: String
    /// Whether the text has all digits.
    let isExact: Bool

    init(_ bytes: Int) {
      let bytes = Double(max(0, bytes))
      var (unit, power) = (1.0, 0)
      // 999.5 would be rounded to 1000.
      while bytes / unit >= 999.5, power < Self.units.count - 1 { (unit, power) = (unit * 1_000, power + 1) }
      let hasTenths = power > 0 && bytes / unit < 9.95
      let step = hasTenths ? unit / 10 : unit
      let steps = Int((bytes / step).rounded())
      text = (hasTenths ? "\(steps / 10).\(steps % 10) " : "\(steps) ") + Self.units[power]
      isExact = Double(steps) * step == bytes
    }

    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
  }
}

extension HumanNumbers {
  /// Seconds as `0:12`, `4:05`, `1:02:03`; below ten seconds with a tenth: `0:01.5`. Empty for a value that is no duration.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "" }
    let tenths = Int((seconds * 10).rounded())
    return tenths < 100 ? "0:0\(tenths / 10).\(tenths % 10)" : clock(seconds)
  }

  /// Whole seconds, where there is no room for tenths: `0:12`, `1:02:03`. Less than a second counts as 1.
  package static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "" }
    let whole = Int(seconds.rounded(seconds < 1 ? .up : .toNearestOrAwayFromZero))
    let (minutes, rest) = (whole / 60, twoDigits(whole % 60))
    return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\(twoDigits(minutes % 60)):\(rest)"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension HumanNumbers {
  /// The day of a time: `2024-05-02`. As in the file, without the offset from UTC.
  package static func day(_ time: MediaInfo.CaptureTime) -> String { String(time.description.prefix(10)) }

  /// A time to the minute: `2024-05-02 12:03`. As in the file, without the offset from UTC.
  package static func minute(_ time: MediaInfo.CaptureTime) -> String { clock(time, length: 16) }

  /// A time to the second: `2024-05-02 12:03:59`. As in the file, without the offset from UTC.
  package static func second(_ time: MediaInfo.CaptureTime) -> String { clock(time, length: 19) }

  private static func clock(_ time: MediaInfo.CaptureTime, length: Int) -> String {
    String(time.description.prefix(length).map { $0 == "T" ? " " : $0 })
  }
}

extension HumanNumbers {
  /// Width and height in pixels: `4032×3024`.
  package static func dimensions(_ width: Int, _ height: Int) -> String { "\(width)×\(height)" }
}
