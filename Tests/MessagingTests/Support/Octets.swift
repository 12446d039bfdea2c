internal import Testing

/// Octets as a specification prints them: hexadecimal, and text in single quotes. `84 'a' 00` is 0x84 0x61 0x00.
func octets(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> [UInt8] {
  var result: [UInt8] = []
  for (index, piece) in text.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
    if index % 2 == 1 {
      result += Array(piece.utf8)
      continue
    }
    let digits = piece.filter { !$0.isWhitespace }
    var rest = digits[...]
    while !rest.isEmpty {
      guard let octet = UInt8(rest.prefix(2), radix: 16), rest.count >= 2 else {
        Issue.record("not hexadecimal: \(rest)", sourceLocation: sourceLocation)
        return result
      }
      result.append(octet)
      rest = rest.dropFirst(2)
    }
  }
  return result
}

/// A uintvar.
func uintvar(_ value: Int) -> [UInt8] {
  var result = [UInt8(value & 0x7F)]
  var rest = value >> 7
  while rest > 0 {
    result.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
    rest >>= 7
  }
  return result
}

/// A value behind its Value-length.
func counted(_ value: [UInt8]) -> [UInt8] {
  (value.count <= 30 ? [UInt8(value.count)] : [31] + uintvar(value.count)) + value
}

/// The body of a multipart: headers and data of each part.
func multipart(_ parts: [(headers: [UInt8], data: [UInt8])]) -> [UInt8] {
  uintvar(parts.count)
    + parts.flatMap { uintvar($0.headers.count) + uintvar($0.data.count) + $0.headers + $0.data }
}
