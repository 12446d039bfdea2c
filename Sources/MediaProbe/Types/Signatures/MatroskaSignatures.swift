internal import MediaModel

/// EBML (RFC 8794) with the document types of Matroska and WebM (RFC 9559).
enum MatroskaSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    guard reader.u32be(0) == 0x1A45_DFA3, let header = EBML.size(reader, at: 4) else { return nil }
    var offset = 4 + header.width
    let end = min(reader.count, offset + (header.value ?? 4_096))
    // An EBML header has eight elements.
    for _ in 0..<32 where offset < end {
      guard let name = EBML.identifier(reader, at: offset),
        let size = EBML.size(reader, at: offset + name.width), let length = size.value
      else { break }
      let content = offset + name.width + size.width
      if name.value == 0x4282 {
        return reader.bytes(content, min(length, 32)).prefix { $0 != 0 }.elementsEqual("webm".utf8) ? .webm : .matroska
      }
      guard length <= reader.count - content else { break }
      offset = content + length
    }
    // RFC 8794, 11.2.6: without a document type it is not Matroska, but players treat it as such.
    return .matroska
  }
}
