internal import MediaModel

/// Finds the JPEG that a camera raw file embeds as its preview.
enum EmbeddedJPEG {
  /// The largest image that any decoder supports and that is complete; nil if there is none.
  static func largest(of ranges: [Range<Int>], in reader: ByteReader) -> MediaInfo.EmbeddedThumbnail? {
    var best: MediaInfo.EmbeddedThumbnail?
    for range in ranges {
      guard range.lowerBound > 0, range.count > 4, range.upperBound <= reader.count,
        let frame = JPEGFrame.first(in: reader, range), frame.isImage, JPEGFrame.hasEnd(in: reader, range)
      else { continue }
      if let best, best.width * best.height >= frame.size.pixelCount { continue }
      best = MediaInfo.EmbeddedThumbnail(
        width: frame.size.width, height: frame.size.height, bytes: range.count, offset: range.lowerBound)
    }
    return best
  }
}
