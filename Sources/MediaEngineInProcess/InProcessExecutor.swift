internal import Glibc
package import MediaEngineProtocol
internal import MediaModel
internal import MediaProbe
internal import Thumbnails
internal import Transcoding

/// Runs jobs with the media libraries of the current process: a worker, or the process of the caller.
package struct InProcessExecutor: MediaJobExecutor {
  /// Creates an executor. The libraries are initialised by the first job.
  package init() {}

  /// Runs one job on the calling thread, which it blocks.
  package func perform(
    _ job: MediaJob, file: JobFile, report: @escaping (JobEvent) -> Void
  ) -> MediaJobResult {
    do throws(MediaFailure) {
      let input = try Self.input(file)
      var result = MediaJobResult(info: facts(of: input, job: job))
      if let images = job.images { add(images, of: input, job: job, to: &result, report: report) }
      if let request = job.transcoding {
        if !job.beginsWithTranscoding { report(.stage(.transcoding, result.info)) }
        result.transcoded = Transcoder().transcode(input, info: result.info, request) { report(.progress($0)) }
      }
      result.bytesRead = input.bytesRead
      // No library's words are longer than a result may have.
      return FactBounds.bounded(result)
    } catch {
      var info = MediaInfo(type: .octetStream, bytes: 0)
      info.extension = nil
      info.error = error
      return MediaJobResult(info: info, transcoded: job.transcoding.map { _ in TranscodeResult(error: error) })
    }
  }

  private static func input(_ file: JobFile) throws(MediaFailure) -> MediaInput {
    switch file {
    case .descriptor(let descriptor): try MediaInput(takingDescriptor: descriptor)
    case .asked(let size, let ask): try MediaInput(size: size, ask: ask)
    }
  }

  /// The libraries of this process, and the formats that they support. Starts libvips.
  package func describe() -> EngineDescription {
    // The versions first: asking for them loads the libraries.
    EngineDescription(
      engines: Thumbnailer.engineVersions + MediaProber.engineVersions, images: Thumbnailer.imageSupport,
      containers: MediaProber.containerSupport, skippedLibraries: Self.skippedLibraries,
      files: Self.loadedFiles)
  }

  private func facts(of input: borrowing MediaInput, job: MediaJob) -> MediaInfo {
    switch job.facts {
    case .found(let options, let claim):
      FactBounds.bounded(MediaProber(options: options).facts(of: input, claim: claim))
    case .given(let info): info
    }
  }

  private func add(
    _ images: MediaJob.Images, of input: borrowing MediaInput, job: MediaJob, to result: inout MediaJobResult,
    report: (JobEvent) -> Void
  ) {
    let info = result.info
    guard info.mayHaveImage else {
      result.thumbnails = ThumbnailResult(icon: MediaIcon(info: info), error: info.error)
      return
    }
    let thumbnailer = Thumbnailer(options: images.options)
    if case .found = job.facts { report(.stage(.rendering, info)) }
    result.thumbnails = thumbnailer.render(input, info: info, requests: images.requests)
    guard let frames = images.storyboardFrames, info.kind == .video else { return }
    report(.stage(.storyboard, info))
    do throws(MediaFailure) {
      result.storyboard = try thumbnailer.storyboard(
        input, info: info, frames: frames, box: MediaJob.Images.storyboardBox)
    } catch {
      result.storyboardFailure = error
    }
  }
}
