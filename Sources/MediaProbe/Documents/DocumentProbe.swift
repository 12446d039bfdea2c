internal import MediaModel

/// Facts of documents, cards and archives.
enum DocumentProbe {
  static func apply(to info: inout MediaInfo, input: borrowing MediaInput, reader: ByteReader) {
    switch info.type {
    case .pdf: PDF.apply(to: &info, input: input)
    case .vCard: info.title = TextSample(reader).flatMap { VCard.formattedName($0.bytes) }
    // The directory of a ZIP is its last part: without it the end is missing, whatever is inside.
    case _ where reader.has("PK\u{3}\u{4}", at: 0) && ZipSignatures.centralDirectory(reader) == nil:
      info.error = .endsEarly
    case _ where CompoundFile.isEncryptedPackage(reader):
      info.error = .encryptedDocument
    default: break
    }
  }
}
