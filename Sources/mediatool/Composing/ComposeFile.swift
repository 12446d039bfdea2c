internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// An attached file, with its source and its facts.
struct ComposeFile: Sendable {
  /// The source, which is read more than once; nil if the file cannot be read.
  let source: MediaSource?
  let info: MediaInfo

  init(_ input: Input, engine: MediaEngine, stop: StopSignal) {
    var source: MediaSource?
    var info = MediaInfo(type: .octetStream, bytes: 0)
    do throws(MediaFailure) {
      let found = try input.source(limits: MediaLimits(), stop: stop)
      let job = MediaJob(facts: .found(ProbeOptions(), claim: input.claim))
      info = try engine.answerBlocking(job, found).result.info
      source = found
    } catch {
      info.extension = nil
      info.error = error
    }
    self.source = source
    self.info = info
  }

  /// Whether the file can be sent in spite of a failure: it exists, and is not empty.
  var isUsable: Bool {
    guard let code = info.error?.code else { return true }
    let unreadable: [MediaFailure.Code] = [
      .notFound, .accessDenied, .unreadable, .empty, .cancelled, .busy, .unavailable, .tooLarge,
    ]
    return source != nil && !unreadable.contains(code)
  }
}
