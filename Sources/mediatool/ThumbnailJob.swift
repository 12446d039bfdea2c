internal import FileSupport
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// Processes one file for `thumbnail`: facts and images in one engine call, then writing.
struct ThumbnailJob: Sendable {
  var request: MediaPreview.Request
  let folder: OutputFolder
  /// The form of the names in it; nil for NAME.SIZE.EXT.
  var template: NameTemplate?
  /// Finds the facts and makes the images.
  let make: @Sendable (MediaSource, MediaJob) throws(MediaFailure) -> JobAnswer
  /// The images for the sizes that a request names; nil where requests name none.
  var renditions: (@Sendable ([SizeArgument]) -> [RenditionRequest])?
  /// Files that no image may replace, besides the one that it shows: those that the user named.
  var sources: Set<FileIdentity> = []
  /// The files of a list; nil without one.
  var listed: ListedFiles?
  /// Whether the output folder is walked, so that anything in it may be an input.
  var isWalked = false
  /// The library whose stored images are used first.
  var library: LibraryReader?

  /// A job that asks a library first.
  init(request: MediaPreview.Request, folder: OutputFolder, engine: LazyEngine, library: LibraryReader?) {
    self.init(request: request, folder: folder) { (source, job) throws(MediaFailure) in
      let started: MediaEngine
      do throws(MediaEngine.StartFailure) { started = try engine.get() } catch {
        throw MediaFailure(.unavailable, error.description)
      }
      return try started.answerBlocking(job, source)
    }
    self.library = library
  }

  init(request: MediaPreview.Request, folder: OutputFolder, engine: MediaEngine) {
    self.init(request: request, folder: folder) { (source, job) throws(MediaFailure) in
      try engine.answerBlocking(job, source)
    }
  }

  /// A job with a custom way of making images.
  init(
    request: MediaPreview.Request, folder: OutputFolder,
    make: @escaping @Sendable (MediaSource, MediaJob) throws(MediaFailure) -> JobAnswer
  ) {
    self.request = request
    self.folder = folder
    self.make = make
  }

  /// The only image of an input.
  static func image(
    of input: Input, request: MediaPreview.Request, engine: MediaEngine, stop: StopSignal
  ) -> Result<[UInt8], MediaFailure> {
    do throws(MediaFailure) {
      let source = try input.source(limits: request.probe.limits, stop: stop)
      let answer = try engine.answerBlocking(request.job(claim: input.claim), source)
      if let image = answer.result.thumbnails?.renditions.first { return .success(image.data) }
      throw answer.result.thumbnails?.error ?? answer.result.info.error
        ?? MediaFailure(.unsupported, "Thumbnails of files of type \(answer.result.info.type) are not supported.")
    } catch {
      return .failure(error)
    }
  }

  /// Makes and writes the images of one input.
  /// - Throws: An error that would affect every other input.
  func record(of input: Input, stop: StopSignal) throws(Fault) -> ThumbnailRecord {
    if let sizes = input.request?.sizes, !sizes.isEmpty, let renditions {
      var job = self
      job.renditions = nil
      job.request.renditions = renditions(sizes)
      return try job.record(of: input, stop: stop)
    }
    let made = try made(of: input, stop: stop)
    var record = made.record
    if let fetched = input.fetched { (record.bytesRead, record.requests) = (fetched.bytes, fetched.requests) }
    for rendition in made.renditions {
      let name = name(of: rendition, input)
      guard try !replacesSource(name, input) else {
        record.error = Self.sourceFailure
        continue
      }
      switch try folder.write(rendition.data, to: name) {
      case .success(let file):
        record.renditions.append(ThumbnailRecord.Written(rendition: .init(rendition), file: file))
      case .failure(let failure): record.error = failure
      }
    }
    try write(made.board, of: input, into: &record)
    return record
  }

  /// Whether an output would replace its input, or another file that is or may be one.
  private func replacesSource(_ name: String, _ input: Input) throws(Fault) -> Bool {
    guard let there = folder.identity(ofFileAt: name) else { return false }
    if sources.contains(there) || there == FileIdentity(of: input) { return true }
    if let listed, try listed.contains(there) { return true }
    // With a template a name can be that of any file, and a walk or a list may still come to it.
    guard template != nil else { return false }
    if isWalked || (input.request == nil && listed?.isUnknown == true) { return true }
    let beside = input.path.folder
    return FileIdentity(ofFolder: beside.bytes.isEmpty ? PathBytes(".") : beside) == folder.identity
  }

  private static let sourceFailure = MediaFailure(
    .unwritable,
    "The image would replace its source file or another input; name another folder, or a template such as tn_%s.")

  private func name(of rendition: Rendition, _ input: Input) -> String {
    if let template {
      let size = request.renditions.count > 1 ? rendition.name : nil
      return template.name(for: input.outputName, size: size, type: rendition.type)
    }
    return "\(input.outputName).\(rendition.name).\(rendition.type.preferredExtension ?? "bin")"
  }

  /// The images of a file before they are written.
  private struct Made {
    var record: ThumbnailRecord
    var renditions: [Rendition] = []
    var board: Result<Storyboard, MediaFailure>?
  }

  private func made(of input: Input, stop: StopSignal) throws(Fault) -> Made {
    var made = Made(record: ThumbnailRecord(path: input.path))
    if let library, let file = library.file(of: input),
      let kept = library.images(of: file, requests: request.renditions)
    {
      made.renditions = kept.renditions
      made.record.placeholder = kept.placeholder
      made.record.bytesRead = 0
      return made
    }
    let answer: JobAnswer
    do throws(MediaFailure) {
      let source = try input.source(limits: request.probe.limits, stop: stop)
      answer = try make(source, request.job(claim: input.claim))
    } catch {
      try error.throwIfOurs()
      made.record.error = error
      return made
    }
    let result = answer.result
    guard answer.wasOpened else {
      made.record.error = result.info.error
      return made
    }
    made.record.bytesRead = result.bytesRead
    // A truncated file may give all its images and still have failed.
    made.record.error = result.thumbnails?.error ?? result.info.error
    if let board = result.storyboard { made.board = .success(board) }
    if let failure = result.storyboardFailure { made.board = .failure(failure) }
    guard let thumbnails = result.thumbnails else { return made }
    made.renditions = thumbnails.renditions
    made.record.placeholder = thumbnails.placeholder
    made.record.posterTime = thumbnails.posterTime
    made.record.framesDecoded = thumbnails.framesDecoded
    made.record.peaks = thumbnails.peaks
    made.record.icon = thumbnails.icon
    return made
  }

  /// Writes the strip, and its index next to it.
  private func write(
    _ board: Result<Storyboard, MediaFailure>?, of input: Input, into record: inout ThumbnailRecord
  ) throws(Fault) {
    switch board {
    case nil: return
    case .failure(let failure): record.error = record.error ?? failure
    case .success(let board):
      let name = template?.stem(for: input.outputName, size: "storyboard") ?? "\(input.outputName).storyboard"
      guard try !replacesSource("\(name).webp", input), try !replacesSource("\(name).vtt", input) else {
        record.error = Self.sourceFailure
        return
      }
      let image = name.split(separator: "/").last.map { "\($0).webp" } ?? ""
      let strip = try folder.write(board.strip.data, to: "\(name).webp")
      let index = try folder.write(Array(board.webVTT(image: image).utf8), to: "\(name).vtt")
      switch (strip, index) {
      case (.success(let strip), .success(let index)):
        record.storyboard = ThumbnailRecord.Board(file: strip, index: index, frames: board.tiles.count)
      case (.failure(let failure), _), (_, .failure(let failure)): record.error = failure
      }
    }
  }
}
