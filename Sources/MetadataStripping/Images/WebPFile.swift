internal import MediaModel

/// WebP (RFC 9649): keeps the pixels, the alpha channel, the animation and the color profile, and drops every other chunk, such as EXIF and XMP.
enum WebPFile {
  /// The features of `VP8X` that stay (2.7.1): color profile, alpha channel, animation.
  private static let features: UInt8 = 0b0011_0010
  private static let exifFeature: UInt8 = 0b0000_1000
  private static let animationFeature: UInt8 = 0b0000_0010

  /// What is kept of one still image or frame (2.7.1.2): one bitstream, and before a lossy one at most one alpha channel. Any other chunk of pixels
  /// would be an image that no viewer shows.
  private struct Pixels {
    var hasAlpha = false
    var isComplete = false

    /// Returns the name of a chunk of pixels; nil if it is another chunk.
    static func name(_ file: [UInt8], at: Int) -> StaticString? {
      for name in ["ALPH", "VP8 ", "VP8L"] as [StaticString] where file.has(name, at: at) { return name }
      return nil
    }

    /// Whether a chunk is a part of the image.
    mutating func takes(_ file: [UInt8], at: Int) -> Bool {
      guard !isComplete else { return false }
      if file.has("ALPH", at: at) {
        guard !hasAlpha else { return false }
        hasAlpha = true
        return true
      }
      isComplete = true
      return !hasAlpha || file.has("VP8 ", at: at)
    }
  }

  /// Nil for a file that ends early or has no image, or image data that is not shown, and for a file without features whose image does not lie upright.
  /// - Parameter orientation: The orientation of the stored image, which stays as the only Exif tag.
  static func strip(_ file: [UInt8], orientation: MediaInfo.Orientation?) -> [UInt8]? {
    guard file.has("RIFF", at: 0), file.has("WEBP", at: 8), let size = file.u32le(4), size <= file.count - 8 else {
      return nil
    }
    let turns = orientation != nil && orientation != .up
    var stripped = Array(file.prefix(12))
    stripped.reserveCapacity(file.count)
    var isExtended = false
    var isAnimated = false
    var hasTiming = false
    var frames = 0
    var pixels = Pixels()
    // Bytes after the stated end are dropped.
    guard
      let isWhole = forEachChunk(
        of: file, in: 12..<(8 + size),
        { at, body in
          switch true {
          case file.has("VP8X", at: at):
            guard at == 12, body.count >= 10 else { return false }
            isExtended = true
            let flags = file[body.lowerBound] & features | (turns ? exifFeature : 0)
            isAnimated = flags & animationFeature != 0
            append("VP8X", [flags, 0, 0, 0] + file[(body.lowerBound + 4)..<(body.lowerBound + 10)], to: &stripped)
          case file.has("ICCP", at: at): append("ICCP", file[body], to: &stripped)
          case file.has("ANIM", at: at):
            guard isAnimated, !hasTiming else { return false }
            hasTiming = true
            append("ANIM", file[body].prefix(6), to: &stripped)
          case file.has("ANMF", at: at):
            guard isAnimated, let frame = self.frame(file, body) else { return false }
            frames += 1
            append("ANMF", frame[...], to: &stripped)
          default:
            guard let name = Pixels.name(file, at: at) else { return true }
            guard !isAnimated, pixels.takes(file, at: at) else { return false }
            append(name, file[body], to: &stripped)
          }
          return true
        }), isWhole, isAnimated ? frames > 0 : pixels.isComplete
    else { return nil }
    if turns {
      // Readers look for Exif only in a file that announces it.
      guard isExtended, let orientation else { return nil }
      append("EXIF", MetadataStripper.exifDirectory(orientation: orientation)[...], to: &stripped)
    }
    let length = stripped.count - 8
    for index in 0..<4 { stripped[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    return stripped
  }

  /// A frame of an animation (2.7.1.1): 16 bytes of position, size and time, then its chunks, of which the pixels and their alpha channel stay. Nil if it
  /// has no pixels, or more than one image.
  private static func frame(_ file: [UInt8], _ body: Range<Int>) -> [UInt8]? {
    guard body.count >= 16 else { return nil }
    var frame = Array(file[body].prefix(16))
    var pixels = Pixels()
    let isWhole = forEachChunk(of: file, in: (body.lowerBound + 16)..<body.upperBound) { at, body in
      guard let name = Pixels.name(file, at: at) else { return true }
      guard pixels.takes(file, at: at) else { return false }
      append(name, file[body], to: &frame)
      return true
    }
    return isWhole == true && pixels.isComplete ? frame : nil
  }

  /// Calls the body with the offset and the content of each chunk.
  /// - Returns: What the body returned, false as soon as it does; nil if a chunk exceeds the range.
  private static func forEachChunk(
    of file: [UInt8], in range: Range<Int>, _ body: (Int, Range<Int>) -> Bool
  ) -> Bool? {
    var at = range.lowerBound
    while at < range.upperBound {
      // A single byte pads what was before it.
      if range.upperBound - at == 1 { return true }
      guard range.upperBound - at >= 8, let size = file.u32le(at + 4), size <= range.upperBound - at - 8 else {
        return nil
      }
      guard body(at, (at + 8)..<(at + 8 + size)) else { return false }
      at += 8 + size + size % 2
    }
    return true
  }

  private static func append(_ name: StaticString, _ body: ArraySlice<UInt8>, to file: inout [UInt8]) {
    for index in 0..<4 { file.append(name.utf8Start[index]) }
    for index in 0..<4 { file.append(UInt8(truncatingIfNeeded: body.count >> (8 * index))) }
    file += body
    if body.count % 2 == 1 { file.append(0) }
  }
}
