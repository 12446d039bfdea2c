internal import MediaModel

/// Renditions, what goes with them, and storyboards.
extension ResultCheck {
  static func check(_ thumbnails: ThumbnailResult, of images: MediaJob.Images) throws(ProtocolViolation) {
    // In the order of the requests, each at most once.
    var rest = images.requests[...]
    for rendition in thumbnails.renditions {
      guard let place = rest.firstIndex(where: { $0.name == rendition.name }) else {
        throw ProtocolViolation("a rendition was not requested")
      }
      try check(rendition, of: rest[place], limits: images.options.limits)
      rest = rest[(place + 1)...]
    }
    let peaks = thumbnails.peaks ?? []
    guard (0...maxBytesRead).contains(thumbnails.bytesRead), peaks.count <= images.maxPeaks,
      thumbnails.framesDecoded.map({ (0...maxFramesDecoded).contains($0) }) ?? true
    else { throw ProtocolViolation("`bytesRead`, `framesDecoded` or the number of peaks is out of range") }
    guard peaks.allSatisfy({ (0...1).contains($0) }),
      thumbnails.posterTime.map({ FactBounds.seconds.contains($0) }) ?? true
    else {
      throw ProtocolViolation("a peak or `posterTime` is out of range")
    }
    if let placeholder = thumbnails.placeholder { try check(placeholder) }
    try check(thumbnails.error)
  }

  static func check(_ storyboard: Storyboard, of images: MediaJob.Images) throws(ProtocolViolation) {
    guard images.storyboardFrames != nil, storyboard.tiles.count <= images.maxTiles else {
      throw ProtocolViolation("a storyboard was not requested")
    }
    let strip = storyboard.strip
    guard strip.type == .webp, strip.name == "storyboard", strip.frames == 1 else {
      throw ProtocolViolation("a rendition was not requested")
    }
    try check(strip)
    let (size, tile) = (PixelSize(width: strip.width, height: strip.height), MediaJob.Images.storyboardBox)
    guard size.pixelCount <= images.maxStripPixels else { throw ProtocolViolation("a storyboard is too large") }
    for part in storyboard.tiles {
      guard part.place.lies(inside: size), part.place.width <= tile.width, part.place.height <= tile.height else {
        throw ProtocolViolation("a tile is outside of its storyboard")
      }
      guard FactBounds.seconds.contains(part.start), FactBounds.seconds.contains(part.end), part.start <= part.end
      else { throw ProtocolViolation("the times of a part are out of range") }
    }
  }

  private static func check(
    _ rendition: Rendition, of request: RenditionRequest, limits: MediaLimits
  ) throws(ProtocolViolation) {
    guard rendition.type == request.format.type else {
      throw ProtocolViolation("a rendition has a different type than requested")
    }
    try check(rendition)
    let sides = request.longestSides
    guard rendition.width <= sides.width, rendition.height <= sides.height,
      rendition.frames <= request.maxFrames(limits)
    else { throw ProtocolViolation("a rendition is larger than requested") }
    if case .maxBytes(let budget) = request.encoding, rendition.data.count > budget {
      throw ProtocolViolation("a rendition is larger than requested")
    }
    guard let similarity = rendition.similarity else { return }
    guard request.comparedIn != nil, (-1...1).contains(similarity) else {
      throw ProtocolViolation("a rendition has a similarity without a comparison")
    }
  }

  /// What holds for every rendition: its first bytes are those of its type, and it has no more bytes than its pixels need.
  private static func check(_ rendition: Rendition) throws(ProtocolViolation) {
    let sides = 1...RenditionRequest.longestSide
    guard sides.contains(rendition.width), sides.contains(rendition.height), rendition.frames >= 1,
      rendition.quality.map({ (1...100).contains($0) }) ?? true, !rendition.data.isEmpty,
      let format = format(of: rendition.data), format.type == rendition.type
    else { throw ProtocolViolation("a rendition is invalid") }
    let most = ResultBounds.bytes(
      format, width: rendition.width, height: rendition.height, frames: rendition.frames)
    guard rendition.data.count <= most else {
      throw ProtocolViolation("a rendition has more bytes than its pixels can need")
    }
  }

  /// The format that the first bytes of an image have; nil for one that is never written.
  private static func format(of data: [UInt8]) -> RenditionRequest.Format? {
    if has("RIFF", in: data, at: 0), has("WEBP", in: data, at: 8) { return .webp }
    if data.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
    return has("ftypavi", in: data, at: 4) ? .avif : nil
  }

  static func has(_ text: StaticString, in data: [UInt8], at offset: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    return data.count >= offset + count && (0..<count).allSatisfy { data[offset + $0] == text.utf8Start[$0] }
  }

  /// Pages show it, in a style as it stands.
  private static func check(_ placeholder: Placeholder) throws(ProtocolViolation) {
    let color = placeholder.color.utf8
    guard color.count == 7, color.first == UInt8(ascii: "#"), color.dropFirst().allSatisfy(isLetterOrDigit),
      (1...64).contains(placeholder.thumbhash.utf8.count), placeholder.thumbhash.utf8.allSatisfy(isOfBase64),
      (1...64).contains(placeholder.blurhash.utf8.count), placeholder.blurhash.utf8.allSatisfy(isOfBase83)
    else { throw ProtocolViolation("a placeholder is invalid") }
  }

  /// Frames that a decoder can have decoded before its deadline.
  private static let maxFramesDecoded = 10_000_000

  private static func isOfBase64(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "+/=".utf8.contains(byte) }

  private static func isOfBase83(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "#$%*+,-.:;=?@[]^_{|}~".utf8.contains(byte)
  }
}
