internal import CMediaShims
public import MediaModel
public import MediaProbe

/// How does it look small? Makes renditions and a placeholder of one file, or says which icon stands for it.
///
/// Blocking: call it from a thread of your own, not from the cooperative pool. A value of this type may be used from many
/// threads at once.
public struct Thumbnailer: Sendable {
  /// How renditions are made.
  public typealias Options = ThumbnailOptions
  /// A moment of a video.
  public typealias PosterPosition = MediaModel.PosterPosition

  /// The options that every call uses.
  public var options: Options

  /// A thumbnailer with those options.
  public init(options: Options = Options()) { self.options = options }

  /// Renditions of an open file whose facts are known.
  ///
  /// Stills share one decode, animations another; a drawing is drawn for each size, and a damaged file is decoded twice.
  ///
  /// Never fails: what went wrong stands in `ThumbnailResult.error`, beside what could be made all the same. A truncated
  /// image has both. What has no image has an icon; that is no failure.
  /// - Parameters:
  ///   - input: The file.
  ///   - info: Its facts, as `MediaProber` found them in the same bytes.
  ///   - requests: The renditions; none gives only the placeholder.
  public func render(
    _ input: borrowing MediaInput, info: MediaInfo, requests: [RenditionRequest]
  ) -> ThumbnailResult {
    let before = input.bytesRead
    let content = Content(info)
    let deadline = Deadline.after(
      seconds: content == .video ? options.limits.posterSeconds : options.limits.renderSeconds)
    input.set(deadline: deadline)
    var result = ThumbnailResult()
    do throws(MediaFailure) {
      try Self.startImages()
      // A placeholder is made of an image no larger than this.
      let sample = RenditionRequest(name: "sample", box: PixelSize(width: 100, height: 100))
      let wanted = requests.isEmpty && options.placeholder ? [sample] : requests
      switch content {
      case .image:
        let renderer = ImageRenderer(info: info, requests: wanted, options: options, deadline: deadline)
        result = try renderer.render(input)
      case .video:
        let renderer = VideoRenderer(info: info, requests: wanted, options: options, deadline: deadline)
        result = try renderer.render(input)
      case .audio:
        let renderer = AudioRenderer(info: info, requests: wanted, options: options, deadline: deadline)
        result = try renderer.render(input)
      case .page:
        let renderer = PageRenderer(info: info, requests: wanted, options: options, deadline: deadline)
        result = try renderer.render(input)
      case .contact:
        let renderer = ContactRenderer(info: info, requests: wanted, options: options, deadline: deadline)
        result = try renderer.render(input)
      case .nothing:
        result.error = info.error
      }
      if requests.isEmpty { result.renditions = [] }
    } catch {
      result.error = error
    }
    input.clearDeadline()
    // Where no image was asked for, none is missing.
    let isAsked = !requests.isEmpty || options.placeholder || result.error != nil || Content(info) == .nothing
    if isAsked, result.renditions.isEmpty, result.placeholder == nil { result.icon = MediaIcon(info: info) }
    result.bytesRead = input.bytesRead - before
    return result
  }

  /// A storyboard of an open video whose facts are known: frames evenly spread over its length, each the key frame at or before the
  /// middle of its share (in transport and program streams the nearest that a seek leads to), in one WebP, in one pass over the file.
  /// - Parameters:
  ///   - input: The file.
  ///   - info: Its facts, as `MediaProber` found them in the same bytes.
  ///   - frames: How many frames, 1…`Storyboard.maxFrames`.
  ///   - box: The box of each frame. Default 160 × 160.
  /// - Throws: `unsupported` for what is no video or has no length, `invalidRequest` for too many frames or a strip with more than
  ///   `MediaLimits.animationPixels`, `timedOut` past
  ///   `MediaLimits.posterSeconds`, and why the video cannot be decoded.
  public func storyboard(
    _ input: borrowing MediaInput, info: MediaInfo, frames: Int, box: PixelSize = PixelSize(width: 160, height: 160)
  ) throws(MediaFailure) -> Storyboard {
    guard (1...Storyboard.maxFrames).contains(frames) else {
      throw MediaFailure(.invalidRequest, "A storyboard has 1 to \(Storyboard.maxFrames) frames.")
    }
    guard Content(info) == .video else {
      throw info.error ?? .noImageOfThisType
    }
    let deadline = Deadline.after(seconds: options.limits.posterSeconds)
    input.set(deadline: deadline)
    defer { input.clearDeadline() }
    try Self.startImages()
    return try StoryboardMaker(info: info, frames: frames, box: box, options: options, deadline: deadline).make(input)
  }

  private static func startImages() throws(MediaFailure) {
    var error = mediatool_vips_error()
    if mediatool_vips_start(&error) != 0 {
      throw MediaFailure(.unsupported, "The image library does not start.", detail: MediaFailure.vips(error).detail)
    }
  }
}
