internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// What verdicts and the tray need of the engine: facts of a file, and its thumbnails.
struct FileEngine: Sendable {
  let engine: LazyEngine
  /// Ends reading from standard input early.
  let stop: StopSignal
  /// What is asked before anything is decoded.
  let library: LibraryReader?

  init(engine: LazyEngine, stop: StopSignal, library: LibraryReader? = nil) {
    (self.engine, self.stop, self.library) = (engine, stop, library)
  }

  init(engine: MediaEngine, stop: StopSignal) {
    self.init(engine: LazyEngine { engine }, stop: stop)
  }

  /// The facts of a file; of one that cannot be opened, why.
  /// - Parameter digest: Whether all of it is read for its SHA-256.
  /// - Throws: A fault when it is the engine that cannot go on, and not the file that is bad.
  func info(of input: Input, digest: Bool = false) throws(Fault) -> MediaInfo {
    if let info = library?.info(of: input, digest: digest) { return info }
    var options = ProbeOptions()
    options.digest = digest
    let job = MediaJob(facts: .found(options, claim: input.claim))
    do throws(MediaFailure) {
      return try answer(job, input.source(limits: options.limits, stop: stop)).result.info
    } catch {
      try error.throwIfOurs()
      var info = MediaInfo(type: .octetStream, bytes: 0)
      info.extension = nil
      info.error = error
      return info
    }
  }

  /// thumbnails and a placeholder of a file whose facts are known.
  /// - Parameter draft: Whether the image that the file carries of itself will do, however small.
  /// - Throws: As ``info(of:digest:)``.
  func images(
    of input: Input, info: MediaInfo, requests: [RenditionRequest], draft: Bool = false
  ) throws(Fault) -> ThumbnailResult {
    if let library, let file = library.file(of: input), let made = library.images(of: file, requests: requests) {
      return made
    }
    var options = ThumbnailOptions()
    options.draft = draft
    let job = MediaJob(facts: .given(info), images: .init(options: options, requests: requests))
    do throws(MediaFailure) {
      let result = try answer(job, input.source(limits: options.limits, stop: stop)).result
      return result.thumbnails ?? ThumbnailResult(icon: MediaIcon(info: info), error: result.info.error)
    } catch {
      try error.throwIfOurs()
      return ThumbnailResult(icon: MediaIcon(info: info), error: error)
    }
  }

  private func answer(_ job: MediaJob, _ source: MediaSource) throws(MediaFailure) -> JobAnswer {
    let started: MediaEngine
    do throws(MediaEngine.StartFailure) { started = try engine.get() } catch {
      throw MediaFailure(.unavailable, error.description)
    }
    return try started.answerBlocking(job, source)
  }

  /// A drawing of our own as a PNG of that size.
  func image(of drawing: [UInt8], size: PixelSize) throws(MediaFailure) -> [UInt8] {
    var request = RenditionRequest(name: "drawing", box: size)
    request.format = .png
    var options = ThumbnailOptions()
    options.placeholder = false
    let job = MediaJob(
      facts: .found(ProbeOptions(), claim: nil), images: .init(options: options, requests: [request]))
    let result = try answer(job, .bytes(drawing)).result
    guard let rendition = result.thumbnails?.renditions.first else {
      throw result.thumbnails?.error ?? result.info.error
        ?? MediaFailure(.unsupported, "The SVG cannot be rendered.")
    }
    return rendition.data
  }
}
