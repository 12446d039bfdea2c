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
    if let storyboard = result.storyboard { try check(storyboard, of: images) }
  }

  /// Checks the progress of a job.
  /// - Parameter last: The previous progress.
  package static func check(
    _ progress: TranscodeProgress, of job: MediaJob, after last: TranscodeProgress?
  ) throws(ProtocolViolation) {
    guard job.transcoding != nil, (1...100).contains(progress.encoding), (0...longestVideo).contains(progress.seconds),
      (0...longestVideo).contains(progress.duration ?? 0)
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
      guard info.type == facts.type, info.bytes == facts.bytes else {
        throw ProtocolViolation("facts differ from those in the request")
      }
      // The engine keeps its own facts, so other differences do not matter.
      return
    }
    guard info.bytes == size else { throw ProtocolViolation("file size differs from the opened file") }
    // A worker omits what is out of range and cuts what is too long (`FactBounds`).
    guard FactBounds.bounded(info) == info else { throw ProtocolViolation("a fact is out of range") }
    // These texts become part of file names, headers and names of metrics. Titles and the like are untrusted in any case.
    guard (1...255).contains(info.type.rawValue.utf8.count), info.type.rawValue.utf8.allSatisfy(isOfType),
      info.extension.map({ (1...16).contains($0.utf8.count) && $0.utf8.allSatisfy(isLetterOrDigit) }) ?? true,
      info.sha256.map({ $0.utf8.count == 64 && $0.utf8.allSatisfy(isLetterOrDigit) }) ?? true
    else { throw ProtocolViolation("invalid type, extension or digest in the facts") }
    try check(info.error)
  }

  /// A code becomes the name of a metric, of which there must be a limited number.
  static func check(_ failure: MediaFailure?) throws(ProtocolViolation) {
    if let code = failure?.code, !codes.contains(code) { throw ProtocolViolation("failure without a code") }
    guard FactBounds.bounded(failure) == failure else { throw ProtocolViolation("message of a failure is too long") }
  }

  /// The codes of decoders. The others are those of the engine.
  private static let codes: Set<MediaFailure.Code> = [
    .notFound, .accessDenied, .unreadable, .empty, .unrecognized, .unsupported, .truncated, .corrupt, .encrypted,
    .tooLarge, .wouldNotFit, .tooManyPixels, .tooManyFrames, .timedOut, .outOfMemory, .decoderCrashed, .cancelled,
    .invalidRequest,
  ]

  /// Maximum seconds of a transcoded video: a month.
  static let longestVideo = 86_400.0 * 31

  /// A petabyte, so that the counters of many jobs cannot overflow.
  static let maxBytesRead = 1 << 50

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// RFC 6838, section 4.2, and the slash.
  private static func isOfType(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "!#$&-^_.+/".utf8.contains(byte) }
}
