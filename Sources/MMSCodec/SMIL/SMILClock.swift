/// Clock values of SMIL (SMIL 1.0 §4.2.4): `5000ms`, `5s`, `1.5min`, `2h`, `5`, `1:30`, `0:01:30.5`.
enum SMILClock {
  /// Milliseconds; nil for `indefinite`, for nonsense and for more than a day.
  static func milliseconds(_ text: String) -> Int? {
    let text = text.filter { !$0.isWhitespace }.lowercased()
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard !text.isEmpty, text.count <= 20, (1...3).contains(fields.count) else { return nil }
    var seconds = 0.0
    if fields.count == 1 {
      let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let value = Double(digits) else { return nil }
      switch text.dropFirst(digits.count) {
      case "ms": seconds = value / 1_000
      case "s", "": seconds = value
      case "min": seconds = value * 60
      case "h": seconds = value * 3_600
      default: return nil
      }
    } else {
      for field in fields {
        guard let value = Double(field), value >= 0 else { return nil }
        seconds = seconds * 60 + value
      }
    }
    guard seconds <= 86_400 else { return nil }
    return Int((seconds * 1_000).rounded())
  }
}
