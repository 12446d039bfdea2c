package import MediaModel

/// One job for one file, in a worker or in the calling process: everything that the two sides exchange.
package struct MediaJob: Hashable, Codable, Sendable {
  /// The source of the facts.
  package enum Facts: Hashable, Codable, Sendable {
    /// Found in the file, as `MediaProber` does.
    case found(ProbeOptions, claim: MediaType.Claim?)
    /// Known to the caller.
    case given(MediaInfo)
  }

  /// The images to make.
  package struct Images: Hashable, Codable, Sendable {
    /// How images are made.
    package var options: ThumbnailOptions
    /// The renditions; if empty, only the placeholder is made.
    package var requests: [RenditionRequest]
    /// Number of frames of a video's storyboard; nil for no storyboard.
    package var storyboardFrames: Int?

    /// A value with these parts.
    package init(options: ThumbnailOptions, requests: [RenditionRequest], storyboardFrames: Int? = nil) {
      self.options = options
      self.requests = requests
      self.storyboardFrames = storyboardFrames
    }
  }

  /// The source of the facts.
  package var facts: Facts
  /// The images to make; nil for the facts alone.
  package var images: Images?
  /// The target of a transcoding; nil for none.
  package var transcoding: TranscodeRequest?

  /// A job with these parts.
  package init(facts: Facts, images: Images? = nil, transcoding: TranscodeRequest? = nil) {
    self.facts = facts
    self.images = images
    self.transcoding = transcoding
  }
}

extension MediaJob {
  /// The job without the path of its file; its claim keeps only the extension. So no path reaches a worker, and the jobs of a folder are equal.
  package var withoutPath: MediaJob {
    guard case .found(let options, .fileName(let path)) = facts else { return self }
    var job = self
    // Scalars, because a slash and a combining mark after it are one character, and a search for characters from the end of flags is quadratic.
    let name = path.unicodeScalars.split(separator: "/").last ?? "".unicodeScalars[...]
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    job.facts = .found(options, claim: dot.map { .fileName("-" + String(name[$0...])) })
    return job
  }
}

extension MediaJob {
  /// Whether a part of the file is enough: for facts without a digest.
  package var readsParts: Bool {
    guard case .found(let options, _) = facts else { return false }
    return images == nil && transcoding == nil && !options.digest
  }

  /// The facts of the job alone, if they should be found before the whole of a file is fetched for its images: the name of the file is not that of an image, and
  /// the facts will probably rule one out. nil if the whole file is fetched at once.
  package var factsFirst: MediaJob? {
    guard case .found(let options, let claim) = facts, !options.digest, images != nil, transcoding == nil,
      claim?.mayHaveImage != true
    else { return nil }
    return MediaJob(facts: facts)
  }

  /// The job with more time for its facts, in seconds, for a file whose bytes take time to arrive.
  package func waiting(_ seconds: Double) -> MediaJob {
    guard case .found(var options, let claim) = facts else { return self }
    var job = self
    options.limits.probeSeconds += seconds
    job.facts = .found(options, claim: claim)
    return job
  }

  /// The part of the job for which a part of the file is enough: its facts without a digest. nil if the facts are given.
  package var readingParts: MediaJob? {
    guard case .found(var options, let claim) = facts else { return nil }
    options.digest = false
    return MediaJob(facts: .found(options, claim: claim))
  }

  /// Whether the job is a transcoding only.
  package var beginsWithTranscoding: Bool {
    guard case .given = facts else { return false }
    return images == nil && transcoding != nil
  }
}

/// The stages of a job, in order. Each has a deadline of its own.
package enum JobStage: String, Codable, Sendable, Comparable {
  /// Finding facts.
  case probing
  /// Making images.
  case rendering
  /// Making the storyboard.
  case storyboard
  /// Encoding a video or an audio file again.
  case transcoding

  private var place: Int {
    switch self {
    case .probing: 0
    case .rendering: 1
    case .storyboard: 2
    case .transcoding: 3
    }
  }

  /// Whether one stage comes before another.
  package static func < (left: JobStage, right: JobStage) -> Bool { left.place < right.place }
}

/// An event that an executor reports during a job.
package enum JobEvent: Hashable, Sendable {
  /// A later stage begins, with the facts found so far.
  case stage(JobStage, MediaInfo)
  /// More of the file has been transcoded: how far, and how many bytes.
  case progress(TranscodeProgress)
}

/// What a job found and made. A failed part has its own failure, beside what succeeded.
package struct MediaJobResult: Hashable, Sendable {
  /// The facts, found or given.
  package var info: MediaInfo
  /// The images; nil if none were requested or the facts rule them out.
  package var thumbnails: ThumbnailResult?
  /// The storyboard of a video.
  package var storyboard: Storyboard?
  /// Why a requested storyboard is missing.
  package var storyboardFailure: MediaFailure?
  /// The transcoded file, or the reason why there is none; nil if it was not requested.
  package var transcoded: TranscodeResult?
  /// Number of bytes read from the file.
  package var bytesRead: Int

  /// A result with these parts.
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

/// How an executor reads the file of a job.
package enum JobFile {
  /// Open for reading. Taken over, and closed.
  case descriptor(CInt)
  /// Not at hand: the bytes at an offset, up to `RangeMessages.maxCount` inside the file, are asked for. nil if they cannot be had.
  case asked(size: Int, ask: (_ offset: Int, _ count: Int) -> [UInt8]?)
}

/// Does jobs, one at a time on each thread, in a worker or in the calling process.
package protocol MediaJobExecutor: Sendable {
  /// Does one job, and calls `report` on the same thread with events before the result. Never fails: failures are part of the result.
  /// - Parameters:
  ///   - job: The job.
  ///   - file: The file.
  func perform(_ job: MediaJob, file: JobFile, report: @escaping (JobEvent) -> Void) -> MediaJobResult

  /// The libraries in use, and the formats that they support.
  func describe() -> EngineDescription
}
