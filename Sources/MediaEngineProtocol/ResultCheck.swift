package import MediaModel

/// Checks that a result is plausible for a job, before the engine trusts a worker.
///
/// Within these bounds a compromised worker can still lie: state false facts, and send any images. It cannot make the engine read out of bounds,
/// overflow, write under another name, put text into the style of a page or the names of metrics, or use more memory than the message had.
package enum ResultCheck {
  /// Checks a whole result.
  /// - Parameter size: Size of the file in bytes, as the engine found it.
  package static func check(_ result: MediaJobResult, of job: MediaJob, size: Int) throws(ProtocolViolation) {
    try check(result.info, size: size, given: job.facts)
    guard (0...maxBytesRead).contains(result.bytesRead) else {
      throw ProtocolViolation("impossible number of bytes read")
    }
    try check(result.storyboardFailure)
    if let transcoded = result.transcoded {
      guard let request = job.transcoding else { throw ProtocolViolation("unrequested file") }
      try check(transcoded, of: request)
    }
    guard let images = job.images else {
      guard result.thumbnails == nil, result.storyboard == nil, result.storyboardFailure == nil else {
        throw ProtocolViolation("unrequested images")
      }
      return
    }
    if let thumbnails = result.thumbnails { try check(thumbnails, of: images) }
    if let storyboard = result.storyboard {
      guard let frames = images.storyboardFrames, storyboard.tiles.count <= frames else {
        throw ProtocolViolation("unrequested storyboard")
      }
      try check(storyboard.strip, asked: nil)
      let strip = PixelSize(width: storyboard.strip.width, height: storyboard.strip.height)
      guard storyboard.tiles.allSatisfy({ $0.place.lies(inside: strip) && $0.start.isFinite && $0.end.isFinite }) else {
        throw ProtocolViolation("tile outside of its storyboard")
      }
    }
  }

  /// Checks the progress of a job.
  /// - Parameter last: The previous progress.
  package static func check(
    _ progress: TranscodeProgress, of job: MediaJob, after last: TranscodeProgress?
  ) throws(ProtocolViolation) {
    let numbers = [progress.seconds, progress.duration ?? 0]
    // As long as a video may be.
    guard job.transcoding != nil, (1...100).contains(progress.encoding),
      numbers.allSatisfy({ $0.isFinite && (0...86_400 * 31).contains($0) })
    else { throw ProtocolViolation("impossible progress") }
    guard let last else { return }
    guard last.seconds < progress.seconds || last.encoding < progress.encoding,
      (last.encoding, last.step) < (progress.encoding, progress.step)
    else { throw ProtocolViolation("progress does not advance") }
  }

  /// Checks the facts of a file.
  /// - Parameter given: Facts that the engine has sent must come back unchanged.
  package static func check(_ info: MediaInfo, size: Int, given: MediaJob.Facts) throws(ProtocolViolation) {
    if case .given(let facts) = given {
      // Compared in encoded form, because NaN is not equal to itself.
      guard info.type == facts.type, info.bytes == facts.bytes else {
        throw ProtocolViolation("facts differ from those in the request")
      }
    } else if info.bytes != size {
      throw ProtocolViolation("file size differs from the opened file")
    }
    let counts = [
      info.width, info.height, info.frames, info.pages, info.channels, info.sampleRate, info.embeddedThumbnail?.width,
      info.embeddedThumbnail?.height,
    ]
    let sizes = [info.bitRate, info.embeddedThumbnail?.bytes, info.embeddedThumbnail?.offset]
    // Small enough to be multiplied with one another.
    guard counts.allSatisfy({ $0.map { (0...Int(UInt32.max)).contains($0) } ?? true }),
      sizes.allSatisfy({ $0.map { (0...1 << 53).contains($0) } ?? true }),
      info.rotation.map({ (0..<360).contains($0) }) ?? true
    else { throw ProtocolViolation("a count in the facts is out of range") }
    let numbers = [info.duration, info.frameRate, info.latitude, info.longitude, info.altitude]
    guard numbers.allSatisfy({ $0.map(\.isFinite) ?? true }) else {
      throw ProtocolViolation("a number in the facts is not finite")
    }
    // These texts become part of file names, headers and names of metrics. Titles and the like are untrusted in any case.
    guard (1...255).contains(info.type.rawValue.utf8.count), info.type.rawValue.utf8.allSatisfy(isOfType),
      info.extension.map({ (1...16).contains($0.utf8.count) && $0.utf8.allSatisfy(isLetterOrDigit) }) ?? true,
      info.sha256.map({ $0.utf8.count == 64 && $0.utf8.allSatisfy(isLetterOrDigit) }) ?? true
    else { throw ProtocolViolation("invalid type, extension or digest in the facts") }
    try check(info.error)
  }

  private static func check(_ thumbnails: ThumbnailResult, of images: MediaJob.Images) throws(ProtocolViolation) {
    // In the order of the requests, each at most once.
    var rest = images.requests[...]
    for rendition in thumbnails.renditions {
      guard let place = rest.firstIndex(where: { $0.name == rendition.name }) else {
        throw ProtocolViolation("unrequested rendition")
      }
      guard rendition.type == rest[place].format.type else {
        throw ProtocolViolation("rendition type differs from the requested type")
      }
      try check(rendition, asked: rest[place])
      rest = rest[(place + 1)...]
    }
    let peaks = thumbnails.peaks ?? []
    guard (0...maxBytesRead).contains(thumbnails.bytesRead), thumbnails.framesDecoded.map({ $0 >= 0 }) ?? true,
      peaks.count <= max(0, min(images.options.peaks, ThumbnailOptions.maxPeaks))
    else { throw ProtocolViolation("a count of the thumbnails is out of range") }
    guard peaks.allSatisfy(\.isFinite), thumbnails.posterTime.map(\.isFinite) ?? true else {
      throw ProtocolViolation("a peak or the poster time is not finite")
    }
    if let placeholder = thumbnails.placeholder { try check(placeholder) }
    try check(thumbnails.error)
  }

  private static func check(_ rendition: Rendition, asked: RenditionRequest?) throws(ProtocolViolation) {
    let sides = 1...RenditionRequest.longestSide
    guard sides.contains(rendition.width), sides.contains(rendition.height),
      rendition.frames >= 1, !rendition.data.isEmpty, signature(rendition.data) == rendition.type
    else { throw ProtocolViolation("invalid rendition") }
    guard let similarity = rendition.similarity else { return }
    guard asked?.comparedIn != nil, (-1...1).contains(similarity) else {
      throw ProtocolViolation("rendition has a similarity without a comparison")
    }
  }

  private static func check(_ transcoded: TranscodeResult, of request: TranscodeRequest) throws(ProtocolViolation) {
    try check(transcoded.error)
    guard transcoded.encodings >= 0, transcoded.bytesRead >= 0, transcoded.fittingDuration.map({ $0 >= 0 }) ?? true
    else {
      throw ProtocolViolation("a count of the transcoded file is negative")
    }
    guard let file = transcoded.file else { return }
    guard file.data.count <= request.maxBytes else { throw ProtocolViolation("file is larger than requested") }
    let counts = [file.width, file.height, file.frames]
    guard file.duration >= 0, counts.allSatisfy({ $0.map { $0 > 0 } ?? true }), isOfFormat(file, request.format) else {
      throw ProtocolViolation("file format differs from the requested format")
    }
  }

  private static func isOfFormat(_ file: TranscodeResult.File, _ format: TranscodeRequest.Format) -> Bool {
    let types: [String] =
      switch format {
      case .mp4: ["video/mp4"]
      case .threeGP: ["video/3gpp"]
      case .amr: ["audio/amr", "audio/3gpp"]
      case .aac: ["audio/mp4"]
      }
    guard types.contains(file.type.rawValue) else { return false }
    return has(
      file.type.rawValue == "audio/amr" ? "#!AMR\n" : "ftyp", in: file.data,
      at: file.type.rawValue == "audio/amr" ? 0 : 4)
  }

  private static func has(_ text: StaticString, in data: [UInt8], at offset: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    return data.count >= offset + count && (0..<count).allSatisfy { data[offset + $0] == text.utf8Start[$0] }
  }

  /// The type that the first bytes of an image identify; nil for types that a worker never writes.
  private static func signature(_ data: [UInt8]) -> MediaType? {
    if has("RIFF", in: data, at: 0), has("WEBP", in: data, at: 8) { return .webp }
    if data.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
    return has("ftypavi", in: data, at: 4) ? .avif : nil
  }

  /// Pages insert its color into a style.
  private static func check(_ placeholder: Placeholder) throws(ProtocolViolation) {
    let color = placeholder.color.utf8
    guard color.count == 7, color.first == UInt8(ascii: "#"), color.dropFirst().allSatisfy(isLetterOrDigit),
      (1...64).contains(placeholder.thumbhash.utf8.count), placeholder.thumbhash.utf8.allSatisfy(isOfBase64),
      (1...64).contains(placeholder.blurhash.utf8.count), placeholder.blurhash.utf8.allSatisfy(isOfBase83)
    else { throw ProtocolViolation("invalid placeholder") }
  }

  /// A code becomes the name of a metric, of which there must be a limited number.
  private static func check(_ failure: MediaFailure?) throws(ProtocolViolation) {
    if let code = failure?.code, !codes.contains(code) { throw ProtocolViolation("failure without a code") }
  }

  /// The codes of decoders. The others are those of the engine.
  private static let codes: Set<MediaFailure.Code> = [
    .notFound, .accessDenied, .unreadable, .empty, .unrecognized, .unsupported, .truncated, .corrupt, .encrypted,
    .tooLarge, .tooManyPixels, .tooManyFrames, .timedOut, .outOfMemory, .decoderCrashed, .cancelled, .invalidRequest,
  ]

  /// A petabyte, so that the counters of many jobs cannot overflow.
  private static let maxBytesRead = 1 << 50

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// RFC 6838, section 4.2, and the slash.
  private static func isOfType(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "!#$&-^_.+/".utf8.contains(byte) }

  private static func isOfBase64(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "+/=".utf8.contains(byte) }

  private static func isOfBase83(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "#$%*+,-.:;=?@[]^_{|}~".utf8.contains(byte)
  }
}
