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
    if let transcoded = result.transcoded {
      guard let request = job.transcoding else { throw ProtocolViolation("there is a file that nobody asked for") }
      try check(transcoded, of: request)
    }
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
      try check(storyboard.strip)
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
      rest = rest[(place + 1)...]
      try check(rendition)
    }
    guard thumbnails.bytesRead >= 0, thumbnails.framesDecoded.map({ $0 >= 0 }) ?? true,
      (thumbnails.peaks?.count ?? 0) <= max(0, min(pictures.options.peaks, ThumbnailOptions.mostPeaks))
    else { throw ProtocolViolation("a count is out of range") }
    try check(thumbnails.error)
  }

  private static func check(_ rendition: Rendition) throws(ProtocolViolation) {
    let sides = 1...RenditionRequest.longestSide
    guard sides.contains(rendition.width), sides.contains(rendition.height),
      rendition.frames >= 1, !rendition.data.isEmpty, signature(rendition.data) == rendition.type
    else { throw ProtocolViolation("a rendition is none") }
  }

  private static func check(_ transcoded: TranscodeResult, of request: TranscodeRequest) throws(ProtocolViolation) {
    try check(transcoded.error)
    guard transcoded.encodings >= 0, transcoded.bytesRead >= 0, transcoded.fittingDuration.map({ $0 >= 0 }) ?? true
    else {
      throw ProtocolViolation("a count is negative")
    }
    guard let file = transcoded.file else { return }
    guard file.data.count <= request.maxBytes else { throw ProtocolViolation("a file is larger than allowed") }
    let counts = [file.width, file.height, file.frames]
    guard file.duration >= 0, counts.allSatisfy({ $0.map { $0 > 0 } ?? true }), isOfFormat(file, request.format) else {
      throw ProtocolViolation("a file is of another format")
    }
  }

  private static func isOfFormat(_ file: TranscodedFile, _ format: TranscodeFormat) -> Bool {
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

  /// The type that the first bytes of a picture say; nil for none that is ever written.
  private static func signature(_ data: [UInt8]) -> MediaType? {
    if has("RIFF", in: data, at: 0), has("WEBP", in: data, at: 8) { return .webp }
    if data.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
    return has("ftypavi", in: data, at: 4) ? .avif : nil
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
