internal import CMediaShims
public import MediaModel
public import MediaProbe

/// Makes thumbnails and a placeholder of a file, or selects an icon for it.
///
/// Blocking: call it from your own thread, not from the cooperative pool. One value may be used from many threads
/// concurrently.
public struct Thumbnailer: Sendable {
  /// Options for making renditions.
  public typealias Options = ThumbnailOptions

  /// The options for every call.
  public var options: Options

  /// - Parameter options: The options of every call. Default: those of `ThumbnailOptions()`.
  public init(options: Options = Options()) { self.options = options }

  /// Makes the requested renditions of an open file whose facts are known.
  ///
  /// Stills share one decode, animations another. A vector image is rendered for each size, and a damaged file is
  /// decoded twice.
  ///
  /// Never throws: errors are in `ThumbnailResult.error`, together with everything that could be made. A truncated
  /// image has both. A file without an image has an icon, which is not a failure.
  ///
  /// - Parameters:
  ///   - input: The file.
  ///   - info: The facts that `MediaProber` found in the same bytes.
  ///   - requests: The renditions; an empty array makes only the placeholder.
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
      // A placeholder is made from an image no larger than this.
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
    // If no image was requested, none is missing.
    let isAsked = !requests.isEmpty || options.placeholder || result.error != nil || Content(info) == .nothing
    if isAsked, result.renditions.isEmpty, result.placeholder == nil { result.icon = MediaIcon(info: info) }
    result.bytesRead = input.bytesRead - before
    return result
  }

  /// Makes a storyboard of an open video whose facts are known, in one pass over the file.
  ///
  /// Frames are evenly spaced over the duration and encoded in one WebP. Each is the key frame at or before the middle
  /// of its time range. In transport and program streams it is the nearest one that a seek reaches.
  ///
  /// - Parameters:
  ///   - input: The file.
  ///   - info: The facts that `MediaProber` found in the same bytes.
  ///   - frames: Number of frames, 1…`Storyboard.maxFrames`.
  ///   - box: The box of each frame. 160 × 160 by default.
  ///
  /// - Throws: `unsupported` for a file that is no video or has no duration, `invalidRequest` for too many frames or a
  ///   strip with more than `MediaLimits.animationPixels`, `timedOut` after `MediaLimits.posterSeconds`, and decoding
  ///   errors.
  public func storyboard(
    _ input: borrowing MediaInput, info: MediaInfo, frames: Int, box: PixelSize = PixelSize(width: 160, height: 160)
  ) throws(MediaFailure) -> Storyboard {
    guard (1...Storyboard.maxFrames).contains(frames) else {
      throw MediaFailure(
        .invalidRequest,
        "A storyboard of \(frames) frames is invalid; the number of frames must be from 1 to \(Storyboard.maxFrames).")
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
      throw MediaFailure(.unsupported, "libvips cannot be initialised.", detail: MediaFailure.vips(error).detail)
    }
  }
}
