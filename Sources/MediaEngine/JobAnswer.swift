package import MediaEngineProtocol
package import MediaModel

/// What came of a job, whoever did it.
package struct JobAnswer: Sendable {
  /// The result; where the job failed as a whole, its facts and its images both carry the failure.
  package var result: MediaJobResult
  /// Whether the file could be opened. If not, its facts are none.
  package var wasOpened: Bool

  /// The answer of an executor or a worker.
  package init(_ result: MediaJobResult, wasOpened: Bool = true) {
    self.result = result
    self.wasOpened = wasOpened
  }

  /// The answer when the file cannot be opened, or nobody could decode it.
  /// - Parameters:
  ///   - facts: What was known of the file by then.
  ///   - size: Bytes of the file; nil when it was not even opened.
  package init(_ failure: MediaFailure, of job: MediaJob, facts: MediaInfo? = nil, size: Int? = nil) {
    wasOpened = size != nil
    var info = MediaInfo(type: .octetStream, bytes: size ?? 0)
    info.extension = nil
    // Facts that were found stay as they are: it is the images that failed.
    if let facts { info = facts } else { info.error = failure }
    if case .given(let given) = job.facts { info = given }
    result = MediaJobResult(info: info)
    if job.transcoding != nil { result.transcoded = TranscodeResult(error: failure) }
    guard job.images != nil else { return }
    result.thumbnails = ThumbnailResult(icon: MediaIcon(info: info), error: failure)
  }
}

extension MediaJob {
  /// The part that a job begins with.
  var firstStage: JobStage {
    if beginsWithTranscoding { return .transcoding }
    return if case .given = facts { .rendering } else { .probing }
  }

  /// Seconds that a part may take, by the job's own limits.
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

  /// Seconds of all parts together.
  var longestSeconds: Double {
    let limits = images?.options.limits
    return seconds(of: .probing, info: nil) + max(limits?.renderSeconds ?? 0, limits?.posterSeconds ?? 0)
      + (images?.storyboardFrames == nil ? 0 : limits?.posterSeconds ?? 0)
      + (transcoding?.limits.transcodeSeconds ?? 0)
  }
}
