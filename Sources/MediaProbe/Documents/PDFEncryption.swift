internal import MediaModel

/// Whether a PDF says that it is encrypted (ISO 32000-1, 7.5.5 and 7.6.1): `/Encrypt` in the dictionary of its trailer, which stands
/// unpacked at the end of the file, where the last cross-references begin, or at the start of a file made for the web.
enum PDFEncryption {
  /// How much of each of those places is looked at.
  private static let window = 65_536

  static func isDeclared(in reader: ByteReader) -> Bool {
    let end = reader.bytes(max(0, reader.count - window), window)
    if names(end) || names(reader.bytes(0, window)) { return true }
    guard let place = end.ranges(of: Array("startxref".utf8)).last else { return false }
    let digits = end[place.upperBound...].drop(while: \.isASCIIWhitespace).prefix(16)
      .prefix { (0x30...0x39).contains($0) }
    guard let offset = Int(String(decoding: digits, as: UTF8.self)), offset < reader.count else { return false }
    return names(reader.bytes(offset, window))
  }

  /// `/Encrypt` and not `/EncryptMetadata`.
  private static func names(_ bytes: [UInt8]) -> Bool {
    bytes.ranges(of: Array("/Encrypt".utf8)).contains { place in
      guard place.upperBound < bytes.count else { return true }
      let next = bytes[place.upperBound]
      return next.isASCIIWhitespace || next == UInt8(ascii: "<")
    }
  }
}
