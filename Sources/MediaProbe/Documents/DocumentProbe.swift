internal import MediaModel

/// Finds the facts of documents, contacts and archives.
enum DocumentProbe {
  static func apply(to info: inout MediaInfo, input: borrowing MediaInput, reader: ByteReader) {
    switch info.type {
    case .pdf: PDF.apply(to: &info, input: input)
    case .vCard:
      do throws(MediaFailure) {
        let card = try VCard(input)
        info.title = card.name
        info.embeddedThumbnail = input.size <= VCard.cardLimit ? photo(in: card) : nil
      } catch {
        info.error = error
      }
    // The central directory of a ZIP is at its end: without it the file is truncated, whatever its content.
    case _ where reader.has("PK\u{3}\u{4}", at: 0) && ZipSignatures.centralDirectory(reader) == nil:
      info.error = .endsEarly
    case _ where CompoundFile.isEncryptedPackage(reader):
      info.error = .encryptedDocument
    default: break
    }
  }

  /// The size and type of the photo in a vCard, if its header states them.
  private static func photo(in card: VCard) -> MediaInfo.EmbeddedThumbnail? {
    guard let bytes = VCardPhoto.bytes(in: card) else { return nil }
    let reader = ByteReader(bytes)
    guard let type = TypeDecider.bySignature(reader), let size = StillReader.header(of: type, reader)?.size else {
      return nil
    }
    return MediaInfo.EmbeddedThumbnail(width: size.width, height: size.height, bytes: bytes.count)
  }
}
