package import MediaModel

/// What is to be done with one file, in a process of its own or in the caller's: all that the two sides say to each other.
package struct MediaJob: Hashable, Codable, Sendable {
  /// Where the facts come from.
  package enum Facts: Hashable, Codable, Sendable {
    /// They are found, as `MediaProber` does.
    case found(ProbeOptions, claim: MediaType.Claim?)
    /// The caller has them already.
    case given(MediaInfo)
  }

  /// What is made of the file.
  package struct Images: Hashable, Codable, Sendable {
    /// How.
    package var options: ThumbnailOptions
    /// Which renditions; none gives only the placeholder.
    package var requests: [RenditionRequest]
    /// How many frames a video's storyboard has; nil for no storyboard.
    package var storyboardFrames: Int?

    /// Those images.
    package init(options: ThumbnailOptions, requests: [RenditionRequest], storyboardFrames: Int? = nil) {
      self.options = options
      self.requests = requests
      self.storyboardFrames = storyboardFrames
    }
  }

  /// Where the facts come from.
  package var facts: Facts
  /// What is made of it; nil for the facts alone.
  package var images: Images?
  /// How it is written anew; nil when it is not.
  package var transcoding: TranscodeRequest?

  /// A job of those parts.
  package init(facts: Facts, images: Images? = nil, transcoding: TranscodeRequest? = nil) {
    self.facts = facts
    self.images = images
    self.transcoding = transcoding
  }
}

extension MediaJob {
  /// The same job without the path of its file, of which the claim holds only the extension: no path reaches a worker, and the jobs of
  /// a folder are alike.
  package var withoutPath: MediaJob {
    guard case .found(let options, .fileName(let path)) = facts else { return self }
    var job = self
    let name = path.split(separator: "/").last ?? ""
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    job.facts = .found(options, claim: dot.map { .fileName("-" + name[$0...]) })
    return job
  }
}

extension MediaJob {
  /// Whether writing it anew is all that there is to do.
  package var beginsWithTranscoding: Bool {
    guard case .given = facts else { return false }
    return images == nil && transcoding != nil
  }
}

/// The parts of a job, in their order. Each has a deadline of its own.
package enum JobStage: String, Codable, Sendable, Comparable {
  /// Facts are found.
  case probing
  /// Images are made.
  case rendering
  /// The storyboard is made.
  case storyboard
  /// A video or an audio file is written anew.
  case transcoding

  private var place: Int {
    switch self {
    case .probing: 0
    case .rendering: 1
    case .storyboard: 2
    case .transcoding: 3
    }
  }

  /// Whether one comes before the other.
  package static func < (left: JobStage, right: JobStage) -> Bool { left.place < right.place }
}

/// What an executor tells while it does a job.
package enum JobEvent: Hashable, Sendable {
  /// A part begins that is not the first, with the facts that were found before it.
  case stage(JobStage, MediaInfo)
  /// How far the writing of the file anew has come.
  case progress(TranscodeProgress)
}

/// What came of a job.
package struct MediaJobResult: Hashable, Sendable {
  /// The facts, found or given.
  package var info: MediaInfo
  /// The images; nil when none were asked for, or the facts say that there can be none.
  package var thumbnails: ThumbnailResult?
  /// The storyboard of a video.
  package var storyboard: Storyboard?
  /// Why there is no storyboard although one was asked for.
  package var storyboardFailure: MediaFailure?
  /// The file written anew, or why it is not; nil when that was not asked for.
  package var transcoded: TranscodeResult?
  /// Bytes read of the file for all of it.
  package var bytesRead: Int

  /// A result of those parts.
  package init(
    info: MediaInfo, thumbnails: ThumbnailResult? = nil, storyboard: Storyboard? = nil,
    storyboardFailure: MediaFailure? = nil, transcoded: TranscodeResult? = nil, bytesRead: Int = 0
  ) {
    self.info = info
    self.thumbnails = thumbnails
    self.storyboard = storyboard
    self.storyboardFailure = storyboardFailure
    self.transcoded = transcoded
    self.bytesRead = bytesRead
  }
}

/// Does jobs, one at a time on each thread: in a worker, or in the process that asks.
package protocol MediaJobExecutor: Sendable {
  /// Does one job. Never fails: what went wrong stands in the result.
  /// - Parameters:
  ///   - job: What is to be done.
  ///   - descriptor: The file, open for reading. Taken over, and closed.
  ///   - tell: Called on the same thread with what may be of use before there is a result.
  func perform(_ job: MediaJob, descriptor: CInt, tell: @escaping (JobEvent) -> Void) -> MediaJobResult

  /// The libraries that do the work, and the formats that they understand.
  func describe() -> EngineDescription
}
