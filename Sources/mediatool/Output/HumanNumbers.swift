internal import Foundation

/// Numbers as people write them.
enum HumanNumbers {
  /// Bytes in powers of 1,000, as file managers show them: `12 B`, `4.8 kB`, `153 MB`.
  static func size(_ bytes: Int) -> String {
    // 999.5 would be rounded to 1000.
    let (value, unit) = scaled(bytes, by: 1_000, from: 999.5, units: ["B", "kB", "MB", "GB", "TB", "PB", "EB"])
    let digits = unit != "B" && value < 9.95 ? 1 : 0
    return String(format: "%.\(digits)f ", value) + unit
  }

  /// A limit in bytes, also in powers of 1,024 if it is a whole number of KiB (C18): `105 MB (100 MiB)`, `300 kB`.
  static func limit(_ bytes: Int) -> String {
    guard bytes >= 1_024, bytes.isMultiple(of: 1_024) else { return size(bytes) }
    let (value, unit) = scaled(
      bytes, by: 1_024, from: 1_024, units: ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"])
    let digits = value == value.rounded() ? 0 : 1
    return "\(size(bytes)) (\(String(format: "%.\(digits)f", value)) \(unit))"
  }

  /// A number of bytes in the first unit in which it is below `threshold`, or in the last unit.
  private static func scaled(
    _ bytes: Int, by factor: Double, from threshold: Double, units: [String]
  ) -> (value: Double, unit: String) {
    var value = Double(bytes)
    var unit = 0
    while value >= threshold, unit < units.count - 1 {
      value /= factor
      unit += 1
    }
    return (value, units[unit])
  }

  /// Seconds as `0:12`, `4:05`, `1:02:03`; below ten seconds with a tenth: `0:01.5`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "" }
    let tenths = Int((seconds * 10).rounded())
    if tenths < 100 { return String(format: "0:%02d.%d", tenths / 10, tenths % 10) }
    let whole = Int(seconds.rounded())
    return whole < 3_600
      ? String(format: "%d:%02d", whole / 60, whole % 60)
      : String(format: "%d:%02d:%02d", whole / 3_600, whole / 60 % 60, whole % 60)
  }
}
