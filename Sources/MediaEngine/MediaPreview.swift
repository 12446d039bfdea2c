package import MediaEngineProtocol
public import MediaModel

/// What is looked for and made of a file in one call.
public struct PreviewRequest: Hashable, Sendable {
  /// Which facts, and how far. Default: `ProbeOptions`'s own.
  public var probe = ProbeOptions()
  /// How images are made. Default: `ThumbnailOptions`'s own.
  public var thumbnails = ThumbnailOptions()
  /// Which renditions; none gives only the placeholder.
  public var renditions: [RenditionRequest]
  /// How many frames a video's storyboard has. Default nil: none is made.
  public var storyboardFrames: Int?

  /// A request for those renditions.
  public init(renditions: [RenditionRequest]) { self.renditions = renditions }

  /// The job for a worker.
  package func job(claim: MediaType.Claim?) -> MediaJob {
    MediaJob(
      facts: .found(probe, claim: claim),
      images: .init(options: thumbnails, requests: renditions, storyboardFrames: storyboardFrames))
  }
}

/// Facts and images of one file.
public struct MediaPreview: Hashable, Sendable {
  /// The facts.
  public var info: MediaInfo
  /// The images, or the icon that stands for them.
  public var thumbnails: ThumbnailResult
  /// The storyboard of a video, when one was asked for.
  public var storyboard: Storyboard?
  /// Why there is none although one was asked for.
  public var storyboardFailure: MediaFailure?
  /// Bytes read of the file for all of it.
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
