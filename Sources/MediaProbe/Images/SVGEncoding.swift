internal import MediaModel

/// Checks that the scanner and librsvg would decode an SVG in the same encoding.
enum SVGEncoding {
  /// Encodings in which the characters of tags are ASCII bytes, and ASCII bytes mean nothing else. In UTF-7 and similar
  /// encodings, tags can be written with other characters.
  private static let families = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "windows-125"]

  /// - Parameters:
  ///   - document: The bytes of the file.
  ///   - text: The same as UTF-8, if a byte order mark requires a conversion.
  static func check(_ document: [UInt8], as text: [UInt8]) throws(MediaFailure) {
    // Without a byte order mark, libxml2 detects UTF-16, UTF-32 and EBCDIC by their first bytes.
    guard !text.contains(0), text.first(where: { !$0.isASCIIWhitespace }) == UInt8(ascii: "<") else {
      throw SVGScreen.refused("encoding")
    }
    guard text.starts(with: "<?xml".utf8), text.dropFirst(5).first?.isASCIIWhitespace == true else { return }
    let declaration = String(decoding: text.prefix { $0 != UInt8(ascii: ">") }.prefix(256), as: UTF8.self).lowercased()
    let places = declaration.ranges(of: "encoding")
    guard declaration.hasSuffix("?"), places.count <= 1 else { throw SVGScreen.refused("encoding") }
    guard let place = places.first else { return }
    let name = declaration[place.upperBound...].drop { " =\"'\t\r\n".contains($0) }
      .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    // In a file with a byte order mark, libxml2 still honours the declaration, except for these names.
    let isMarked = document.starts(with: [0xFF, 0xFE]) || document.starts(with: [0xFE, 0xFF])
    let isKnown = isMarked ? ["utf-16", "utf-8"].contains(name) : families.contains(where: name.hasPrefix)
    guard isKnown else { throw SVGScreen.refused("encoding") }
  }
}
