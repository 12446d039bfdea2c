internal import MediaModel

/// Whether a drawing is written in the characters that the scanner reads, and in no others that librsvg would read it in.
enum SVGEncoding {
  /// Encodings in which the characters of tags are the bytes of ASCII, and mean nothing else. In UTF-7 and its like, tags can be written
  /// in other characters.
  private static let families = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "windows-125"]

  /// - Parameters:
  ///   - document: The bytes of the file.
  ///   - text: The same as UTF-8, as far as a byte order mark asks for it.
  static func check(_ document: [UInt8], as text: [UInt8]) throws(MediaFailure) {
    // Without a mark, libxml2 knows UTF-16, UTF-32 and EBCDIC by their first bytes.
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
    // Of a file that has a mark, libxml2 believes the declaration all the same, save for these names.
    let isMarked = document.starts(with: [0xFF, 0xFE]) || document.starts(with: [0xFE, 0xFF])
    let isKnown = isMarked ? ["utf-16", "utf-8"].contains(name) : families.contains(where: name.hasPrefix)
    guard isKnown else { throw SVGScreen.refused("encoding") }
  }
}
