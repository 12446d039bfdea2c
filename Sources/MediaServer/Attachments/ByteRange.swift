/// What a `Range` field asks for, of a representation of a known size (RFC 9110, section 14).
enum ByteRange: Hashable {
  /// Everything: no range, one in an unknown unit, a malformed one, or several, which a server may ignore.
  case everything
  /// These bytes.
  case bytes(Range<Int>)
  /// No byte that exists: 416.
  case unsatisfiable

  /// Reads a field.
  /// - Parameter size: Size of the representation in bytes.
  init(_ field: String, size: Int) {
    self = Self.parse(field, size: size) ?? .everything
  }

  private static func parse(_ field: String, size: Int) -> ByteRange? {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let specifier = String(parts[1]).trimmingOptionalSpace
    let ends = specifier.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty {
      guard let length = number(ends[1]) else { return nil }
      if length == 0 { return .unsatisfiable }
      // An empty representation has no range that `Content-Range` could state.
      return size == 0 ? nil : .bytes(max(0, size - length)..<size)
    }
    guard let first = number(ends[0]) else { return nil }
    var last = Int.max
    if !ends[1].isEmpty {
      guard let stated = number(ends[1]), stated >= first else { return nil }
      last = stated
    }
    guard first < size else { return .unsatisfiable }
    return .bytes(first..<(last < size ? last + 1 : size))
  }

  /// A number of digits alone; one that is too large is as large as possible.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }
}
