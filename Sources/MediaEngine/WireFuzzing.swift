internal import MediaEngineProtocol
internal import MediaModel

/// Parsing of bytes from the other side of the socket, for the package Fuzz, which cannot use `package` names.
@_spi(Wire) public enum WireFuzzing {
  /// Parses bytes as an engine parses those of a worker: gives a result or a violation, never a trap.
  /// - Parameter input: A whole message; or the JSON of a result, a NUL and the following bytes, so that not every input has to find a valid header.
  public static func readAnswer(_ input: [UInt8]) {
    var options = ProbeOptions()
    options.digest = true
    var requests = RenditionRequest.named
    requests[0].comparedIn = requests[0].box
    let job = MediaJob(
      facts: .found(options, claim: nil),
      images: .init(options: ThumbnailOptions(), requests: requests, storyboardFrames: 9))
    for case let frame? in [message(input), result(input), Frame(kind: .result, job: 1, text: input)] {
      if let result = try? Messages.result(of: frame) {
        try? ResultCheck.check(result, of: job, size: 4)
        // The facts of a worker, bounded as a worker bounds them, are accepted.
        try? ResultCheck.check(FactBounds.bounded(result.info), size: 4, given: job.facts)
        // A parsed message can be sent again.
        _ = try? Messages.frame(result, job: 1)
      }
      if let stage = try? Messages.value(Messages.Stage.self, of: frame) {
        try? ResultCheck.check(stage.info, size: 4, given: job.facts)
      }
      if let progress = try? Messages.value(TranscodeProgress.self, of: frame) {
        let job = MediaJob(facts: .found(options, claim: nil), transcoding: TranscodeRequest(format: .aac, maxBytes: 1))
        try? ResultCheck.check(progress, of: job, after: nil)
        try? ResultCheck.check(TranscodeProgress(encoding: 2, seconds: 3, duration: 9), of: job, after: progress)
      }
      _ = try? Messages.value(WorkerGreeting.self, of: frame)
    }
  }

  /// Parses bytes as a worker parses those of an engine: a whole message, or the JSON of a job.
  public static func readRequest(_ input: [UInt8]) {
    for case let frame? in [message(input), Frame(kind: .job, job: 1, text: input)] {
      guard let job = try? Messages.value(MediaJob.self, of: frame) else { continue }
      _ = ResultBounds(of: job)
      // A parsed message can be sent again.
      _ = try? Messages.frame(.job, job: 1, job)
    }
  }

  private static func message(_ input: [UInt8]) -> Frame? {
    guard input.count >= FrameHeader.length, let head = FrameHeader(Array(input[..<FrameHeader.length])) else {
      return nil
    }
    return Frame(header: head, body: Array(input[FrameHeader.length...]))
  }

  private static func result(_ input: [UInt8]) -> Frame? {
    let text = input.prefix { $0 != 0 }
    return Frame(kind: .result, job: 1, text: Array(text), bytes: Array(input.dropFirst(text.count + 1)))
  }
}
