internal import MediaEngineProtocol
internal import MediaModel

/// What an engine does with whatever a worker says: no trap, no length believed, a result or a violation.
///
/// An input is a whole message, or the JSON of a result, a NUL and the bytes behind it, so that not every one has to find the head first.
@_cdecl("mediatool_fuzz_answer")
public func fuzzAnswer(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let input = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  var options = ProbeOptions()
  options.digest = true
  var requests = RenditionRequest.named
  requests[0].comparedIn = requests[0].box
  let job = MediaJob(
    facts: .found(options, claim: nil),
    images: .init(options: ThumbnailOptions(), requests: requests, storyboardFrames: 9))
  for frame in [whole(input), parts(input), Frame(kind: .result, job: 1, text: input)] {
    guard let frame else { continue }
    if let result = try? Messages.result(of: frame) {
      try? ResultCheck.check(result, of: job, size: 4)
      // What was understood can be said again.
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

/// What a worker does with whatever an engine says.
@_cdecl("mediatool_fuzz_request")
public func fuzzRequest(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let input = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  for frame in [whole(input), Frame(kind: .job, job: 1, text: input)] {
    guard let frame, let job = try? Messages.value(MediaJob.self, of: frame) else { continue }
    // What was understood can be said again.
    _ = try? Messages.frame(.job, job: 1, job)
  }
}

private func whole(_ input: [UInt8]) -> Frame? {
  guard input.count >= FrameHeader.length, let head = FrameHeader(Array(input[..<FrameHeader.length])) else {
    return nil
  }
  return Frame(header: head, body: Array(input[FrameHeader.length...]))
}

private func parts(_ input: [UInt8]) -> Frame? {
  let text = input.prefix { $0 != 0 }
  return Frame(kind: .result, job: 1, text: Array(text), bytes: Array(input.dropFirst(text.count + 1)))
}
