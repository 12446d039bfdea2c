internal import MediaModel

/// What a file is, by its content alone.
///
/// Our own signatures come first: where one fits in full, nobody else is asked, which is what makes probing a photo cheap.
/// To add a format, add its signature to one of the families; to add a family, add it here.
enum TypeDecider {
  /// In this order: a file that fits two families (an image with an archive behind it) is what it begins as.
  private static let families: [@Sendable (ByteReader) -> MediaType?] = [
    ImageSignatures.type, BoxSignatures.type, TIFFSignatures.type, RIFFSignatures.type, MatroskaSignatures.type,
    OggSignatures.type, AudioSignatures.type, DocumentSignatures.type, ArchiveSignatures.type, MPEGSignatures.type,
    { WBMPHeader.fills($0) ? .wirelessBitmap : nil },
  ]

  /// nil when nobody knows it.
  static func type(of reader: ByteReader) -> MediaType? {
    if let type = bySignature(reader) { return type }
    let sample = TextSample(reader)
    if let sample, sample.isUnicode { return TextSignatures.type(of: sample) }
    let prefix = reader.bytes(0, MagicCookie.prefix)
    if !prefix.isEmpty, let name = MagicCookie.current?.type(of: prefix) {
      let type = TypeTable.ours(name)
      // libmagic's kinds of text are guesses; ours are in TextSignatures.
      if type.topLevel != "text" { return type }
      return sample.map(TextSignatures.type) ?? .plainText
    }
    // No control character in it: text in an older encoding.
    return sample.map(TextSignatures.type)
  }

  /// The type whose signature fits in full.
  static func bySignature(_ reader: ByteReader) -> MediaType? {
    for family in families {
      if let type = family(reader) { return type }
    }
    return nil
  }
}
