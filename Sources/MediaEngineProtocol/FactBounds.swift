package import MediaModel

/// The range of every fact, one definition for both sides: a worker omits or cuts what exceeds it, and an engine refuses what still does.
///
/// The texts and numbers of a file are those of whoever made it. Nothing in a result is longer or larger than a consumer can store.
package enum FactBounds {
  /// Bytes of UTF-8 in a title, a name, a camera, a profile, or a library's message. The prober cuts at 1,024 characters.
  package static let textBytes = 8_192
  /// Bytes of UTF-8 in a sentence of ours, and in what a caller declared.
  package static let sentenceBytes = 1_024
  /// Seconds in a thousand years: longer durations are implausible.
  package static let seconds = 0.0...3e10

  /// The same facts, without those out of range and with long texts cut.
  package static func bounded(_ info: MediaInfo) -> MediaInfo {
    var info = info
    info.width = kept(info.width, in: counts)
    info.height = kept(info.height, in: counts)
    info.frames = kept(info.frames, in: counts)
    info.pages = kept(info.pages, in: counts)
    info.tracks = kept(info.tracks, in: counts)
    info.rotation = info.rotation.flatMap { [90, 180, 270].contains($0) ? $0 : nil }
    info.channels = kept(info.channels, in: 0...65_535)
    info.sampleRate = kept(info.sampleRate, in: 0...100_000_000)
    info.bitRate = kept(info.bitRate, in: 0...1_000_000_000_000)
    info.duration = kept(info.duration, in: seconds)
    info.frameRate = kept(info.frameRate, in: 0...1_000)
    info.latitude = kept(info.latitude, in: -90...90)
    info.longitude = kept(info.longitude, in: -180...180)
    // From below every ocean to where space begins.
    info.altitude = kept(info.altitude, in: -100_000...100_000)
    info.videoCodec = info.videoCodec.flatMap { isName($0, 64) ? $0 : nil }
    info.audioCodec = info.audioCodec.flatMap { isName($0, 64) ? $0 : nil }
    info.colorProfile = info.colorProfile.map { cut($0, to: textBytes) }
    info.make = info.make.map { cut($0, to: textBytes) }
    info.model = info.model.map { cut($0, to: textBytes) }
    info.title = info.title.map { cut($0, to: textBytes) }
    info.artist = info.artist.map { cut($0, to: textBytes) }
    info.album = info.album.map { cut($0, to: textBytes) }
    info.takenAtSource = info.takenAtSource.flatMap { isName($0.rawValue, 32) ? $0 : nil }
    info.mismatch = info.mismatch.map {
      MediaInfo.Mismatch(declared: cut($0.declared, to: sentenceBytes), by: $0.by, class: $0.class)
    }
    info.embeddedThumbnail = info.embeddedThumbnail.flatMap { bounded($0, size: info.bytes) }
    info.error = bounded(info.error)
    return info
  }

  /// The same failure with short texts.
  package static func bounded(_ failure: MediaFailure?) -> MediaFailure? {
    guard var failure else { return nil }
    failure.message = cut(failure.message, to: sentenceBytes)
    failure.detail = failure.detail.map { cut($0, to: textBytes) }
    return failure
  }

  /// The same result with short failures, and without times out of range, which a container may state. Its facts were bounded when they were
  /// found; those that a caller gave stay as they are.
  package static func bounded(_ result: MediaJobResult) -> MediaJobResult {
    var result = result
    if let thumbnails = result.thumbnails {
      result.thumbnails?.error = bounded(thumbnails.error)
      result.thumbnails?.posterTime = kept(thumbnails.posterTime, in: seconds)
    }
    if let storyboard = result.storyboard,
      !storyboard.tiles.allSatisfy({ seconds.contains($0.start) && seconds.contains($0.end) && $0.start <= $0.end })
    {
      result.storyboard = nil
      result.storyboardFailure = MediaFailure(
        .unsupported, "The duration of the video is implausible, so no storyboard can be made.")
    }
    result.storyboardFailure = bounded(result.storyboardFailure)
    if let transcoded = result.transcoded { result.transcoded?.error = bounded(transcoded.error) }
    return result
  }

  /// Small enough to be multiplied with one another.
  private static let counts = 0...Int(UInt32.max)

  private static func bounded(_ small: MediaInfo.EmbeddedThumbnail, size: Int) -> MediaInfo.EmbeddedThumbnail? {
    // It may be stored compressed, so that it has more bytes than the file.
    guard counts.contains(small.width), counts.contains(small.height), counts.contains(small.bytes) else { return nil }
    var small = small
    if let offset = small.offset, offset < 0 || offset > size - small.bytes {
      small.offset = nil
    }
    return small
  }

  private static func kept<Number: Comparable>(_ number: Number?, in range: ClosedRange<Number>) -> Number? {
    number.flatMap { range.contains($0) ? $0 : nil }
  }

  /// FFmpeg's names of codecs, and those of sources of a time: letters, digits and three signs.
  static func isName(_ text: String, _ longest: Int) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_-.".utf8.contains(byte)
      }
  }

  /// A text of at most so many bytes, cut between two scalars.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      if count > limit { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
