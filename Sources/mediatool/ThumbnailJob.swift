internal import MediaModel
internal import MediaProbe
internal import Thumbnails

/// The way of one file through `thumbnail`: opened once, facts, pictures, written.
struct ThumbnailJob: Sendable {
  let limits: MediaLimits
  let requests: [RenditionRequest]
  let folder: OutputFolder
  /// Finds the facts.
  let prober: MediaProber
  /// Makes the storyboard of a video; nil when none is asked for.
  var storyboard: (@Sendable (borrowing MediaInput, MediaInfo) throws(MediaFailure) -> Storyboard)?
  /// How many files are decoded at once; others are written meanwhile.
  var decoding = Turns(256)
  /// Makes the pictures.
  let render: @Sendable (borrowing MediaInput, MediaInfo, [RenditionRequest]) -> ThumbnailResult

  init(options: Thumbnailer.Options, requests: [RenditionRequest], folder: OutputFolder, storyboard frames: Int? = nil)
  {
    let thumbnailer = Thumbnailer(options: options)
    self.init(limits: options.limits, requests: requests, folder: folder) { input, info, requests in
      thumbnailer.render(input, info: info, requests: requests)
    }
    guard let frames else { return }
    storyboard = { (input, info) throws(MediaFailure) in
      try thumbnailer.storyboard(input, info: info, frames: frames)
    }
  }

  /// A job with another way of making pictures.
  init(
    limits: MediaLimits, requests: [RenditionRequest], folder: OutputFolder,
    render: @escaping @Sendable (borrowing MediaInput, MediaInfo, [RenditionRequest]) -> ThumbnailResult
  ) {
    self.limits = limits
    self.requests = requests
    self.folder = folder
    self.render = render
    var options = MediaProber.Options()
    options.limits = limits
    prober = MediaProber(options: options)
  }

  /// Makes and writes the pictures of one input.
  /// - Throws: When nothing more can be written, for this input or any other.
  func record(of input: Input, stop: StopSignal) throws(Fault) -> ThumbnailRecord {
    let made = decoding.take { self.made(of: input, stop: stop) }
    var record = made.record
    for rendition in made.renditions {
      let name = "\(input.outputName).\(rendition.name).\(rendition.type.preferredExtension ?? "bin")"
      switch try folder.write(rendition.data, to: name) {
      case .success(let file):
        record.renditions.append(ThumbnailRecord.Written(rendition: .init(rendition), file: file))
      case .failure(let failure): record.error = failure
      }
    }
    try write(made.board, of: input, into: &record)
    return record
  }

  /// What was made of a file and is still to be written.
  private struct Made {
    var record: ThumbnailRecord
    var renditions: [Rendition] = []
    var board: Result<Storyboard, MediaFailure>?
  }

  private func made(of input: Input, stop: StopSignal) -> Made {
    var made = Made(record: ThumbnailRecord(path: input.path))
    let result: ThumbnailResult
    do throws(MediaFailure) {
      let media = try input.open(limits: limits, stop: stop)
      let info = prober.facts(of: media, claim: input.claim)
      if let error = info.error, !Self.leavesPixels(error.code) {
        result = ThumbnailResult(icon: MediaIcon(info: info), error: error)
      } else {
        result = render(media, info, requests)
        // A cut-off file may give all its pictures, and is still cut off.
        made.record.error = info.error
        if let storyboard, info.kind == .video {
          do throws(MediaFailure) {
            made.board = .success(try storyboard(media, info))
          } catch {
            made.board = .failure(error)
          }
        }
      }
      made.record.bytesRead = media.bytesRead
    } catch {
      made.record.error = error
      return made
    }
    made.renditions = result.renditions
    made.record.placeholder = result.placeholder
    made.record.posterTime = result.posterTime
    made.record.framesDecoded = result.framesDecoded
    made.record.peaks = result.peaks
    made.record.icon = result.icon
    made.record.error = result.error ?? made.record.error
    return made
  }

  /// Writes the strip and, beside it, its index.
  private func write(
    _ board: Result<Storyboard, MediaFailure>?, of input: Input, into record: inout ThumbnailRecord
  ) throws(Fault) {
    switch board {
    case nil: return
    case .failure(let failure): record.error = record.error ?? failure
    case .success(let board):
      let name = "\(input.outputName).storyboard"
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

  /// Whether something may be seen of a file with that failure: what there is of it before it ends or breaks.
  private static func leavesPixels(_ code: MediaFailure.Code) -> Bool {
    [.truncated, .corrupt, .tooManyFrames].contains(code)
  }
}
