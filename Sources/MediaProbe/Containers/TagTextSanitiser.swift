/// Sanitises text from a file for display: no control characters, valid UTF-8, bounded length.
enum TagTextSanitiser {
  /// Maximum Unicode scalars of a title or a name. The longest real ones have a few hundred.
  static let length = 1_024

  /// Nil if nothing remains.
  static func clean(_ bytes: some Sequence<UInt8>) -> String? {
    // At most four bytes per scalar, with room for characters that are removed.
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
