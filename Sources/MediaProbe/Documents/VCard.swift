/// A vCard (RFC 6350, and 2.1 and 3.0 before it): the name that is shown for it.
enum VCard {
  /// The first `FN`, which every vCard has to have; nil where it is missing or empty.
  static func formattedName(_ bytes: [UInt8]) -> String? {
    var lines = unfolded(bytes)
    for index in lines.indices {
      let line = lines[index]
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let property = line[..<colon].split(separator: UInt8(ascii: ";"))
      // A group may stand before the name: "item1.FN".
      guard let name = property.first?.split(separator: UInt8(ascii: ".")).last, name.count == 2,
        name.startsIgnoringCase("FN")
      else { continue }
      let parameters = String(decoding: line[..<colon], as: UTF8.self).uppercased()
      guard parameters.contains("QUOTED-PRINTABLE") else { return TagText.clean(unescaped(line[(colon + 1)...])) }
      // In vCard 2.1 an "=" at the end of the line continues it without an indent.
      var next = index + 1
      while lines[index].last == UInt8(ascii: "="), next < lines.count {
        lines[index].removeLast()
        lines[index] += lines[next]
        next += 1
      }
      return TagText.clean(quotedPrintable(lines[index][(colon + 1)...]))
    }
    return nil
  }

  /// More properties than any address book writes; folded parts do not count.
  private static let lineLimit = 2_000

  /// Lines, each with its folded parts put back (RFC 6350, 3.2).
  static func unfolded(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let raw = rest[..<end]
      rest = rest[end...].dropFirst()
      let line = raw.last == 0x0D ? raw.dropLast() : raw
      if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else if lines.count == lineLimit {
        break
      } else {
        lines.append(Array(line))
      }
    }
    return lines
  }

  /// RFC 6350, 3.4: a backslash before comma, semicolon, backslash and n.
  private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in value {
      if isEscaped {
        result.append(byte.asciiLowercased == UInt8(ascii: "n") ? 0x0A : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// RFC 2045, 6.7.
  private static func quotedPrintable(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "="), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      {
        result.append(code)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
