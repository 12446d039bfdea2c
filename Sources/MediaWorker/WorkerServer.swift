internal import CIsolation
internal import Glibc
package import MediaEngineProtocol
internal import MediaModel

/// The main loop of a worker: warm up, isolate, send the greeting, do jobs one after another.
package struct WorkerServer {
  private let executor: any MediaJobExecutor
  private let channel: WorkerChannel

  /// A server on the socket that the engine has passed to the process.
  package init(executor: any MediaJobExecutor, channel: WorkerChannel = WorkerChannel()) {
    self.executor = executor
    self.channel = channel
  }

  /// Reports to the engine, instead of greeting it, that a library cannot be loaded: standard error of a worker is `/dev/null`.
  package static func reportLoadFailure(_ what: String, channel: WorkerChannel = WorkerChannel()) {
    let greeting = WorkerGreeting(
      layers: .none, description: EngineDescription(engines: [], images: [], containers: []),
      loadFailure: what)
    if let frame = try? Messages.frame(.greeting, job: 0, greeting) { _ = channel.send(frame) }
  }

  /// Serves until the engine closes the socket.
  /// - Parameters:
  ///   - libraries: What the worker loads.
  ///   - warmUp: Opens and reads everything that jobs with these libraries will need, because nothing can be opened afterwards.
  /// - Returns: The exit status (`WorkerExit`).
  package func run(libraries: WorkerLibraries, warmUp: () -> Void) -> CInt {
    guard mediatool_die_with_parent(channel.socket) else { return WorkerExit.usage }
    // First, because FFmpeg comes after the modules of libvips in it: what these need is then loaded, and not skipped for FFmpeg.
    warmUp()
    let description =
      libraries == .all ? executor.describe() : EngineDescription(engines: [], images: [], containers: [])
    _ = mediatool_exit_when_short_of_memory(WorkerExit.outOfMemory)
    let layers = Isolation.apply(socket: channel.socket)
    let greeting = WorkerGreeting(layers: layers, description: description)
    guard let frame = try? Messages.frame(.greeting, job: 0, greeting), channel.send(frame) else {
      return WorkerExit.done
    }
    return serve()
  }

  /// Does jobs until the engine closes the socket.
  package func serve() -> CInt {
    // The jobs of a batch are equal, and decoding one takes longer than a probe.
    var read: (text: [UInt8], job: MediaJob)?
    while true {
      do {
        guard let (frame, descriptor) = try channel.receive() else { return WorkerExit.done }
        let number = frame.header.job
        guard frame.header.kind == .job, let file = file(descriptor, of: frame) else { return WorkerExit.badRequest }
        let job: MediaJob
        if let read, read.text == frame.text {
          job = read.job
        } else {
          job = try Messages.value(MediaJob.self, of: frame)
          read = (frame.text, job)
        }
        mediatool_erase_failed_allocations()
        var result = executor.perform(job, file: file) { event in
          if let frame = try? Messages.frame(Self.bounded(event), job: number) { _ = channel.send(frame) }
        }
        // An engine keeps the facts that it gave, however long; they need not come back.
        result.info = FactBounds.bounded(result.info)
        if mediatool_has_failed_allocation() { result.blameMemory() }
        guard channel.send(try answer(result, number: number)) else { return WorkerExit.done }
      } catch {
        return WorkerExit.badRequest
      }
    }
  }

  /// The file of a job: a descriptor came with it, or its size.
  private func file(_ descriptor: CInt, of frame: Frame) -> JobFile? {
    guard descriptor < 0 else { return frame.bytes.isEmpty ? .descriptor(descriptor) : nil }
    guard let size = RangeMessages.size(of: frame) else { return nil }
    let number = frame.header.job
    return .asked(size: size) { [channel] offset, count in
      guard let ask = RangeMessages.ask(offset, count, job: number), channel.send(ask),
        let (answer, extra) = try? channel.receive()
      else { return nil }
      if extra >= 0 { close(extra) }
      guard answer.header.kind == .piece, answer.header.job == number, answer.bytes.count == count else { return nil }
      return answer.bytes
    }
  }

  private static func bounded(_ event: JobEvent) -> JobEvent {
    guard case .stage(let stage, let info) = event else { return event }
    return .stage(stage, FactBounds.bounded(info))
  }

  /// Encodes a result; if its images are too large for one message, encodes that failure.
  private func answer(_ result: MediaJobResult, number: UInt64) throws -> Frame {
    do { return try Messages.frame(result, job: number) } catch {
      var small = result
      small.thumbnails?.renditions = []
      small.thumbnails?.error = .imagesTooLarge
      small.storyboard = nil
      if small.transcoded?.file != nil { small.transcoded = TranscodeResult(error: .imagesTooLarge) }
      return try Messages.frame(small, job: number)
    }
  }
}

extension MediaJobResult {
  /// A library that runs out of memory often reports a corrupt file.
  fileprivate mutating func blameMemory() {
    func blamed(_ failure: MediaFailure?) -> MediaFailure? {
      let wrong: [MediaFailure.Code] = [.corrupt, .truncated, .unsupported, .unrecognized]
      guard let failure, wrong.contains(failure.code) else { return failure }
      return .outOfMemory(detail: failure.detail)
    }
    info.error = blamed(info.error)
    let failure = blamed(thumbnails?.error)
    thumbnails?.error = failure
    storyboardFailure = blamed(storyboardFailure)
    let notMade = blamed(transcoded?.error)
    transcoded?.error = notMade
  }
}
