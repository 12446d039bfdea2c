/// Octets as a specification prints them: hexadecimal, and text in single quotes. `84 'a' 00` is 0x84 0x61 0x00.
///
/// Ends the process where a test writes anything else.
public func octets(_ text: String) -> [UInt8] {
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
        preconditionFailure("not hexadecimal: \(rest)")
      }
      result.append(octet)
      rest = rest.dropFirst(2)
    }
  }
  return result
}
