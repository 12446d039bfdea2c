package import MediaEngineProtocol
package import MediaModel

/// The outcome of a job, from a worker or from this process.
package struct JobAnswer: Sendable {
  /// The result; if the job failed as a whole, its facts and images both carry the failure.
  package var result: MediaJobResult
  /// Whether the file could be opened. If not, the result has no facts.
  package var wasOpened: Bool

  /// The answer of an executor or a worker.
  package init(_ result: MediaJobResult, wasOpened: Bool = true) {
    self.result = result
    self.wasOpened = wasOpened
  }

  /// The answer if the file cannot be opened or decoded.
  /// - Parameters:
  ///   - facts: The facts found before the failure.
  ///   - size: Size of the file in bytes; nil if it was not opened.
  package init(_ failure: MediaFailure, of job: MediaJob, facts: MediaInfo? = nil, size: Int? = nil) {
    wasOpened = size != nil
    var info = MediaInfo(type: .octetStream, bytes: size ?? 0)
    info.extension = nil
    // Facts that were found stay unchanged: the images have failed.
    if let facts { info = facts } else { info.error = failure }
    if case .given(let given) = job.facts { info = given }
    result = MediaJobResult(info: info)
    if job.transcoding != nil { result.transcoded = TranscodeResult(error: failure) }
    guard job.images != nil else { return }
    result.thumbnails = ThumbnailResult(icon: MediaIcon(info: info), error: failure)
  }

  /// The answer to a job for images whose facts rule them out; nil if they do not.
  var withIcon: JobAnswer? {
    guard !result.info.mayHaveImage else { return nil }
    var answer = self
    answer.result.thumbnails = ThumbnailResult(icon: MediaIcon(info: result.info), error: result.info.error)
    return answer
  }

  /// The answer to a job that needs the whole of a file, of which only the facts could be had.
  /// - Parameter failure: Why.
  func refusing(_ failure: MediaFailure, of job: MediaJob) -> JobAnswer {
    // Facts that have failed have their own reason.
    guard wasOpened, result.info.error == nil else {
      return JobAnswer(result.info.error ?? failure, of: job, size: wasOpened ? result.info.bytes : nil)
    }
    var answer = JobAnswer(failure, of: job, facts: result.info, size: result.info.bytes)
    answer.result.bytesRead = result.bytesRead
    // A digest is one of the facts.
    if case .found(let options, _) = job.facts, options.digest { answer.result.info.error = failure }
    return answer
  }
}

extension MediaJob {
  /// The stage with which a worker begins: no stage probes if the facts are given.
  var firstStage: JobStage {
    if beginsWithTranscoding { return .transcoding }
    return if case .given = facts { .rendering } else { .probing }
  }

  /// Time limit of a stage in seconds, from the job's limits.
  func seconds(of stage: JobStage, info: MediaInfo?) -> Double {
    switch (stage, facts) {
    case (.transcoding, _): return transcoding?.limits.transcodeSeconds ?? 0
    case (.probing, .found(let options, _)):
      return options.limits.probeSeconds + (options.digest ? options.digestSeconds : 0)
    case (.probing, .given): return 0
    case (.rendering, _), (.storyboard, _):
      guard let limits = images?.options.limits else { return 0 }
      if stage == .storyboard { return limits.posterSeconds }
      let info = if case .given(let given) = facts { given } else { info }
      return info?.kind == .video ? limits.posterSeconds : limits.renderSeconds
    }
  }

  /// Sum of the time limits of all stages in seconds.
  var longestSeconds: Double {
    let limits = images?.options.limits
    return seconds(of: .probing, info: nil) + max(limits?.renderSeconds ?? 0, limits?.posterSeconds ?? 0)
      + (images?.storyboardFrames == nil ? 0 : limits?.posterSeconds ?? 0)
      + (transcoding?.limits.transcodeSeconds ?? 0)
  }
}
