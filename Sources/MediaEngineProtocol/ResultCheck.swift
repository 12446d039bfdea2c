public import MediaModel

/// Whether a result can be one of a job: what an engine looks at before it believes a helper.
///
/// A helper that a file has taken over can still say what it likes within these bounds: facts that are not so, and pictures of anything.
/// It cannot make the engine index past an end, write under another name, or take more memory than the message itself had.
public enum ResultCheck {
  /// Whether a whole result can be one.
  /// - Parameter size: Bytes of the file as the engine saw it.
  public static func check(_ result: MediaJobResult, of job: MediaJob, size: Int) throws(ProtocolViolation) {
    try check(result.info, size: size, given: job.facts)
    guard result.bytesRead >= 0 else { throw ProtocolViolation("a negative number of bytes was read") }
    try check(result.storyboardFailure)
    guard let pictures = job.pictures else {
      guard result.thumbnails == nil, result.storyboard == nil, result.storyboardFailure == nil else {
        throw ProtocolViolation("there are pictures that nobody asked for")
      }
      return
    }
    if let thumbnails = result.thumbnails { try check(thumbnails, of: pictures) }
    if let storyboard = result.storyboard {
      guard let frames = pictures.storyboardFrames, storyboard.tiles.count <= frames else {
        throw ProtocolViolation("there is a storyboard that nobody asked for")
      }
      try check(storyboard.strip, asked: nil)
    }
  }

  /// Whether facts can be those of a file.
  /// - Parameter given: Facts that the engine itself sent must come back as they were.
  public static func check(_ info: MediaInfo, size: Int, given: MediaJob.Facts) throws(ProtocolViolation) {
    if case .given(let facts) = given {
      // Compared by what is sent: a number that is none equals nothing, itself included.
      guard info.type == facts.type, info.bytes == facts.bytes else { throw ProtocolViolation("the facts are others") }
    } else if info.bytes != size {
      throw ProtocolViolation("the size of the file is another")
    }
    let counts = [
      info.width, info.height, info.frames, info.pages, info.bitRate, info.channels, info.sampleRate,
      info.embeddedThumbnail?.width, info.embeddedThumbnail?.height, info.embeddedThumbnail?.bytes,
      info.embeddedThumbnail?.offset,
    ]
    guard counts.allSatisfy({ $0.map { $0 >= 0 } ?? true }) else { throw ProtocolViolation("a count is negative") }
    try check(info.error)
  }

  private static func check(_ thumbnails: ThumbnailResult, of pictures: MediaJob.Pictures) throws(ProtocolViolation) {
    // In the order of the requests, each at most once.
    var rest = pictures.requests[...]
    for rendition in thumbnails.renditions {
      guard let place = rest.firstIndex(where: { $0.name == rendition.name }) else {
        throw ProtocolViolation("a rendition was not asked for")
      }
      guard rendition.type == rest[place].format.type else { throw ProtocolViolation("a rendition is of another type") }
      try check(rendition, asked: rest[place])
      rest = rest[(place + 1)...]
    }
    guard thumbnails.bytesRead >= 0, thumbnails.framesDecoded.map({ $0 >= 0 }) ?? true,
      (thumbnails.peaks?.count ?? 0) <= max(0, min(pictures.options.peaks, ThumbnailOptions.mostPeaks))
    else { throw ProtocolViolation("a count is out of range") }
    try check(thumbnails.error)
  }

  private static func check(_ rendition: Rendition, asked: RenditionRequest?) throws(ProtocolViolation) {
    let sides = 1...RenditionRequest.longestSide
    guard sides.contains(rendition.width), sides.contains(rendition.height),
      rendition.frames >= 1, !rendition.data.isEmpty, signature(rendition.data) == rendition.type
    else { throw ProtocolViolation("a rendition is none") }
    guard let similarity = rendition.similarity else { return }
    guard asked?.comparedIn != nil, (-1...1).contains(similarity) else {
      throw ProtocolViolation("a rendition was compared with nothing")
    }
  }

  /// The type that the first bytes of a picture say; nil for none that is ever written.
  private static func signature(_ data: [UInt8]) -> MediaType? {
    func has(_ text: StaticString, at offset: Int) -> Bool {
      let count = text.utf8CodeUnitCount
      return data.count >= offset + count && (0..<count).allSatisfy { data[offset + $0] == text.utf8Start[$0] }
    }
    if has("RIFF", at: 0), has("WEBP", at: 8) { return .webp }
    if data.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
    return has("ftypavi", at: 4) ? .avif : nil
  }

  /// A code is a name, for it ends in JSON keys' neighbourhood, logs and metrics.
  private static func check(_ failure: MediaFailure?) throws(ProtocolViolation) {
    guard let code = failure?.code.rawValue else { return }
    guard (1...64).contains(code.utf8.count), code.utf8.allSatisfy({ isLetter($0) }) else {
      throw ProtocolViolation("a failure has no code")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
