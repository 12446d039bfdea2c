internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// Facts and thumbnails of files, for verdicts and the tray.
struct FileEngine: Sendable {
  let engine: LazyEngine
  /// Stops reading standard input.
  let stop: StopSignal
  /// Asked before anything is decoded.
  let library: LibraryReader?

  init(engine: LazyEngine, stop: StopSignal, library: LibraryReader? = nil) {
    (self.engine, self.stop, self.library) = (engine, stop, library)
  }

  init(engine: MediaEngine, stop: StopSignal) {
    self.init(engine: LazyEngine { engine }, stop: stop)
  }

  /// The facts of a file, or why it cannot be opened.
  /// - Parameter digest: Whether to compute its SHA-256.
  /// - Throws: A fault if the engine has failed, and not the file.
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

  /// Thumbnails and a placeholder of a file with known facts.
  /// - Parameter draft: Whether an embedded thumbnail is sufficient, however small.
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

  /// Renders a drawing of this program as a PNG of the given size.
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
