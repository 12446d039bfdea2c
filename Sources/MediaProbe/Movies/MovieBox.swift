internal import ISOBaseMedia

/// The movie box of a file whose outer structure is usual.
enum MovieBox {
  /// Maximum size in bytes: that of many hours of video.
  private static let maxBytes = 16_777_216
  /// Maximum number of boxes before it.
  private static let boxLimit = 64

  /// The content of `moov`, read into memory.
  /// - Throws: ``UnusualMovie`` if boxes are not as usual: FFmpeg then reads the file.
  static func content(_ reader: ByteReader) throws(UnusualMovie) -> Box.MemorySource {
    var movie: Box?
    var hasSamples = false
    for box in BoxReader(reader, 0..<reader.count, .everyByte, limit: boxLimit) {
      try UnusualMovie.unless(box.isWhole)
      switch box.type {
      case "ftyp": try UnusualMovie.unless(box.start == 0 && box.body.count >= 8)
      case "free", "skip": break
      // In some files it contains the media data.
      case "wide": try UnusualMovie.unless(box.body.isEmpty)
      case "mdat": hasSamples = hasSamples || !box.body.isEmpty
      case "moov":
        try UnusualMovie.unless(movie == nil && box.body.count <= maxBytes)
        movie = box
      default: throw UnusualMovie()
      }
      // libavformat reads no further.
      guard hasSamples, let movie else { continue }
      guard let bytes = reader.slice(movie.body.lowerBound, movie.body.count) else { throw UnusualMovie() }
      return Box.MemorySource(bytes)
    }
    throw UnusualMovie()
  }
}
