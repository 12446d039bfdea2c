internal import CMediaShims
public import MediaModel
public import MediaProbe

/// How does it look small? Makes renditions and a placeholder of one file, or says which icon stands for it.
///
/// Blocking: call it from a thread of your own, not from the cooperative pool. A value of this type may be used from many
/// threads at once.
public struct Thumbnailer: Sendable {
  /// How renditions are made.
  public struct Options: Sendable {
    /// Deadline and sizes. Default: `MediaLimits`'s own.
    public var limits = MediaLimits()
    /// Whether the embedded thumbnail will do however small it is. Default false: only where it has every pixel asked for.
    public var draft = false
    /// Whether a placeholder is made. Default true.
    public var placeholder = true
    /// How many peaks a sound has, 0…4,096 (``mostPeaks``). Default 100: about as many bars as a message has room for. With 0 a
    /// sound that has a cover is not decoded.
    public var peaks = 100
    /// Whether a sound shows its waveform although it has a cover. Default false.
    public var prefersWaveform = false
    /// The largest number of peaks. More would not be told apart in any picture.
    public static let mostPeaks = 4_096
    /// The moment of a video that its poster shows. Default nil: the best of a few key frames.
    public var posterPosition: PosterPosition?
    /// The defaults.
    public init() {}
  }

  /// A moment of a video.
  public enum PosterPosition: Hashable, Sendable {
    /// Seconds from the beginning.
    case seconds(Double)
    /// A part of the whole length, 0…1.
    case fraction(Double)
  }

  /// The options that every call uses.
  public var options: Options

  /// A thumbnailer with those options.
  public init(options: Options = Options()) { self.options = options }

  /// Renditions of an open file whose facts are known.
  ///
  /// Stills share one decode, animations another; a drawing is drawn for each size, and a damaged file is decoded twice.
  ///
  /// Never fails: what went wrong stands in `ThumbnailResult.error`, beside what could be made all the same. A truncated
  /// picture has both. What has no picture has an icon; that is no failure.
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
      try Self.startPictures()
      // A placeholder is made of a picture no larger than this.
      let sample = RenditionRequest(name: "sample", box: PixelSize(width: 100, height: 100))
      let wanted = requests.isEmpty && options.placeholder ? [sample] : requests
      switch content {
      case .picture:
        let renderer = PictureRenderer(info: info, requests: wanted, options: options, deadline: deadline)
        result = try renderer.render(input)
      case .video:
        let renderer = VideoRenderer(info: info, requests: wanted, options: options, deadline: deadline)
        result = try renderer.render(input)
      case .sound:
        let renderer = SoundRenderer(info: info, requests: wanted, options: options, deadline: deadline)
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
    // Where no picture was asked for, none is missing.
    let isAsked = !requests.isEmpty || options.placeholder || result.error != nil || Content(info) == .nothing
    if isAsked, result.renditions.isEmpty, result.placeholder == nil { result.icon = MediaIcon(info: info) }
    result.bytesRead = input.bytesRead - before
    return result
  }

  /// The most frames that a storyboard has.
  public static let storyboardFrames = 1_000

  /// A storyboard of an open video whose facts are known: frames evenly spread over its length, each the key frame at or before the
  /// middle of its share (in transport and program streams the nearest that a seek leads to), in one WebP, in one pass over the file.
  /// - Parameters:
  ///   - input: The file.
  ///   - info: Its facts, as `MediaProber` found them in the same bytes.
  ///   - frames: How many frames, 1…``storyboardFrames``.
  ///   - box: The box of each frame. Default 160 × 160.
  /// - Throws: `unsupported` for what is no video or has no length, `invalidRequest` for too many frames or a strip with more than
  ///   `MediaLimits.animationPixels`, `timedOut` past
  ///   `MediaLimits.posterSeconds`, and why the video cannot be decoded.
  public func storyboard(
    _ input: borrowing MediaInput, info: MediaInfo, frames: Int, box: PixelSize = PixelSize(width: 160, height: 160)
  ) throws(MediaFailure) -> Storyboard {
    guard (1...Self.storyboardFrames).contains(frames) else {
      throw MediaFailure(.invalidRequest, "A storyboard has 1 to \(Self.storyboardFrames) frames.")
    }
    guard Content(info) == .video else {
      throw info.error ?? .noPictureOfThisType
    }
    let deadline = Deadline.after(seconds: options.limits.posterSeconds)
    input.set(deadline: deadline)
    defer { input.clearDeadline() }
    try Self.startPictures()
    return try StoryboardMaker(info: info, frames: frames, box: box, options: options, deadline: deadline).make(input)
  }

  private static func startPictures() throws(MediaFailure) {
    var error = mediatool_vips_error()
    if mediatool_vips_start(&error) != 0 {
      throw MediaFailure(.unsupported, "The picture library does not start.", detail: MediaFailure.vips(error).detail)
    }
  }
}
