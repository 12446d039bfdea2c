internal import MediaModel

/// Determines the type of a file from its content alone.
///
/// Our own signatures are checked first. If one matches completely, libmagic is not called, which makes probing a photo
/// cheap. To add a format, add its signature to a family; to add a family, add it here.
enum TypeDecider {
  /// Checked in this order. A file that matches two families (an image with an appended archive) is what it begins as.
  private static let families: [@Sendable (ByteReader) -> MediaType?] = [
    ImageSignatures.type, BoxSignatures.type, TIFFSignatures.type, RIFFSignatures.type, MatroskaSignatures.type,
    OggSignatures.type, AudioSignatures.type, DocumentSignatures.type, ArchiveSignatures.type, MPEGSignatures.type,
    { WBMPHeader.fills($0) ? .wirelessBitmap : nil },
  ]

  /// Nil if the type is unknown.
  static func type(of reader: ByteReader) -> MediaType? {
    if let type = bySignature(reader) { return type }
    let sample = TextSample(reader)
    if let sample, sample.isUnicode { return TextSignatures.type(of: sample) }
    let prefix = reader.bytes(0, MagicCookie.prefix)
    if !prefix.isEmpty, let name = MagicCookie.current?.type(of: prefix) {
      let type = TypeTable.ours(name)
      // libmagic guesses text types; ours are in TextSignatures.
      if type.topLevel != "text" { return type }
      return sample.map(TextSignatures.type) ?? .plainText
    }
    // Without control characters: text in a legacy encoding. Last, a recording that was cut out of a longer one.
    return sample.map(TextSignatures.type) ?? (MPEGSignatures.firstFrame(reader, from: 0) == nil ? nil : .mpegAudio)
  }

  /// The type whose signature matches completely.
  static func bySignature(_ reader: ByteReader) -> MediaType? {
    for family in families {
      if let type = family(reader) { return type }
    }
    return nil
  }
}
