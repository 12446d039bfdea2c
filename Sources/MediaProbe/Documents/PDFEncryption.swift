internal import MediaModel

/// Detects whether a PDF is encrypted: `/Encrypt` in its trailer dictionary (ISO 32000-1, 7.5.5 and 7.6.1).
///
/// The trailer is uncompressed. It is at the end of the file, near the last cross-reference section, or at the start of
/// a linearized file.
enum PDFEncryption {
  /// Bytes to search in each of these ranges.
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

  /// Whether the bytes contain `/Encrypt`, and not just `/EncryptMetadata`.
  private static func names(_ bytes: [UInt8]) -> Bool {
    bytes.ranges(of: Array("/Encrypt".utf8)).contains { place in
      guard place.upperBound < bytes.count else { return true }
      let next = bytes[place.upperBound]
      return next.isASCIIWhitespace || next == UInt8(ascii: "<")
    }
  }
}
