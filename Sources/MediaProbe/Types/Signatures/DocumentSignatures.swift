internal import MediaModel

/// Signatures of binary documents that begin with ASCII text.
enum DocumentSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    if isPDF(reader) { return .pdf }
    // Rich Text Format 1.9.1, "Contents of an RTF File".
    if reader.has("{\\rtf", at: 0) { return .rtf }
    // Adobe TN 5001, 3.1 and TN 5002, 5.2: PostScript, and EPS with a preview before it.
    if reader.has("%!PS", at: 0) || reader.u32be(0) == 0xC5D0_D3C6 { return .postScript }
    return nil
  }

  /// ISO 32000-1, 7.5.2 requires the header at the start, but its annex H and every reader allow 1,024 bytes before it.
  /// There it must begin a line, and the file must end like a PDF: a text about PDFs is not a PDF.
  private static func isPDF(_ reader: ByteReader) -> Bool {
    if reader.has("%PDF-", at: 0) { return true }
    let head = reader.bytes(0, 1_024)
    guard let at = head.indices.first(where: { head[$0] == UInt8(ascii: "%") && reader.has("%PDF-", at: $0) }) else {
      return false
    }
    let before = head[..<at]
    if before.allSatisfy({ $0.isASCIIWhitespace || [0xEF, 0xBB, 0xBF].contains($0) }) { return true }
    guard head[at - 1] == 0x0A || head[at - 1] == 0x0D else { return false }
    return reader.bytes(max(0, reader.count - 1_024), 1_024).firstRange(of: Array("%%EOF".utf8)) != nil
  }
}
