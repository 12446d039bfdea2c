internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// A file that is attached: where its bytes are, and what it is.
struct ComposeFile: Sendable {
  /// Where it is read from, more than once; nil when it cannot be.
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

  /// Whether it can be sent although something is wrong with it: it is there, and has bytes.
  var isUsable: Bool {
    guard let code = info.error?.code else { return true }
    let unreadable: [MediaFailure.Code] = [
      .notFound, .accessDenied, .unreadable, .empty, .cancelled, .busy, .unavailable, .tooLarge,
    ]
    return source != nil && !unreadable.contains(code)
  }
}
