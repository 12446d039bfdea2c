package import MediaEngineProtocol
public import MediaModel

extension MediaPreview {
  /// The facts to find and the images to make in one call.
  public struct Request: Hashable, Sendable {
    /// The facts to find, and the limits. Default: the defaults of `ProbeOptions`.
    public var probe = ProbeOptions()
    /// How images are made. Default: the defaults of `ThumbnailOptions`.
    public var thumbnails = ThumbnailOptions()
    /// The renditions; if empty, only the placeholder is made.
    public var renditions: [RenditionRequest]
    /// Number of frames of a video's storyboard. Default nil: no storyboard.
    public var storyboardFrames: Int?

    /// A request for these renditions.
    public init(renditions: [RenditionRequest]) { self.renditions = renditions }

    /// The job of a worker.
    package func job(claim: MediaType.Claim?) -> MediaJob {
      MediaJob(
        facts: .found(probe, claim: claim),
        images: .init(options: thumbnails, requests: renditions, storyboardFrames: storyboardFrames))
    }
  }
}

/// Facts and images of one file.
public struct MediaPreview: Hashable, Sendable {
  /// The facts.
  public var info: MediaInfo
  /// The images, or an icon instead of them.
  public var thumbnails: ThumbnailResult
  /// The storyboard of a video, if requested.
  public var storyboard: Storyboard?
  /// Why a requested storyboard is missing.
  public var storyboardFailure: MediaFailure?
  /// Number of bytes read from the file.
  public var bytesRead: Int

  init(_ answer: JobAnswer) {
    let result = answer.result
    info = result.info
    thumbnails = result.thumbnails ?? ThumbnailResult(error: info.error)
    storyboard = result.storyboard
    storyboardFailure = result.storyboardFailure
    bytesRead = result.bytesRead
  }
}
