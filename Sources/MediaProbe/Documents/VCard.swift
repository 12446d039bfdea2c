internal import MediaModel

/// The first contact of a vCard file (RFC 6350, and versions 2.1 and 3.0 before it).
struct VCard {
  /// Maximum bytes to read: several times the base64 of the largest photo that an address book stores.
  static let cardLimit = 16_777_216

  /// Maximum content lines, more than any address book writes; folded lines count once.
  private static let lineLimit = 2_000

  /// The properties, each with the lines that follow it.
  private(set) var properties: [(property: VCardProperty, following: ArraySlice<[UInt8]>)] = []

  /// Reads the first contact of a file, up to ``cardLimit``.
  ///
  /// - Throws: The errors of ``MediaInput/read(at:count:)``.
  init(_ input: borrowing MediaInput) throws(MediaFailure) {
    self.init(TextSample.utf8(try input.read(at: 0, count: min(input.size, Self.cardLimit))))
  }

  init(_ bytes: [UInt8]) {
    let lines = Self.unfolded(bytes)
    var next = 0
    while next < lines.count {
      var line = lines[next]
      next += 1
      guard var property = VCardProperty(line) else { continue }
      // In vCard 2.1, "=" at the end of a line continues it without an indent.
      while property.isQuotedPrintable, line.last == UInt8(ascii: "="), next < lines.count {
        line.removeLast()
        line += lines[next]
        next += 1
      }
      property.value = line[property.value.startIndex...]
      if property.name == "END", property.value.startsIgnoringCase("VCARD") { break }
      properties.append((property, lines[next...]))
    }
  }

  /// Content lines after unfolding (RFC 6350, 3.2).
  private static func unfolded(_ bytes: [UInt8]) -> [[UInt8]] {
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
}
