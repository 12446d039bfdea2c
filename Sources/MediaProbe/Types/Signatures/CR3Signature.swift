internal import ISOBaseMedia
internal import MediaModel

/// What a file with the major brand of Canon CR3 is.
///
/// Of a camera raw only an embedded preview is shown, and anybody can write its brand into a file. Browsers go by the compatible brands, and players by
/// the tracks; they show an image or a video, and not the preview that was added.
enum CR3Signature {
  /// - Parameter others: The type of each compatible brand that has one.
  static func type(of reader: ByteReader, brands: [FourCC], others: [MediaType]) -> MediaType {
    if let image = others.first(where: { $0.kind == .image && $0 != .canonCR3 }) { return image }
    if brands.contains(where: { ["mif1", "mif2", "msf1"].contains($0) }) { return .heif }
    return isMovie(reader) ? .mp4 : .canonCR3
  }

  /// Whether a track has something else than Canon's sensor data and JPEGs (`CRAW`) and timed metadata (`CTMD`).
  private static func isMovie(_ reader: ByteReader) -> Bool {
    guard let movie = BoxReader(reader, 0..<reader.count).first("moov") else { return false }
    return BoxReader(reader, movie.body).contains { track in
      guard track.type == "trak",
        let table = BoxReader(reader, track.body).first(["mdia", "minf", "stbl", "stsd"])
      else { return false }
      // Eight bytes, then the sample entries (ISO/IEC 14496-12, 8.5.2).
      return BoxReader(reader, table.body.dropFirst(8)).contains { $0.type != "CRAW" && $0.type != "CTMD" }
    }
  }
}
