/// Text out of a file, fit to be shown: no control characters, no broken UTF-8, not endless.
enum TagText {
  /// Unicode scalars of a title or a name that are kept. The longest real ones have a few hundred.
  static let length = 1_024

  /// nil when nothing is left.
  static func clean(_ bytes: some Sequence<UInt8>) -> String? {
    // Four bytes a scalar at most, and room for what is dropped.
    let text = String(decoding: Array(bytes.prefix(length * 8).prefix { $0 != 0 }), as: UTF8.self)
    var kept = String.UnicodeScalarView()
    var count = 0
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      // C0, DEL and C1; a line break between words becomes a space.
      if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
        pendingSpace = pendingSpace || scalar == "\n" || scalar == "\r" || scalar == "\t"
      } else if scalar == " " {
        pendingSpace = true
      } else {
        if pendingSpace, count > 0 {
          kept.append(" ")
          count += 1
        }
        pendingSpace = false
        kept.append(scalar)
        count += 1
      }
      if count >= length { break }
    }
    return kept.isEmpty ? nil : String(String(kept.prefix(length)))
  }
}
