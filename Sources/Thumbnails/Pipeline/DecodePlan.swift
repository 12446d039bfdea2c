internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// How an image is opened for one batch of requests: loader, reduction, number of frames.
struct DecodePlan {
  let scalePlan: ScalePlan
  /// The integral reduction in the loader.
  let shrink: Int
  /// Pixels of the file per pixel of the opened image, along one side.
  var reduction: Double { Double(shrink) / (options?.scale ?? 1) }
  /// Whether the opened image keeps the signal of the file. HEIF frames from libav do not: each is mapped to sRGB by
  /// its own metadata.
  var keepsSignals: Bool { !decodesFrames || loader != .vips(.heif) }
  /// The orientation to apply after decoding. libav applies none to the frames of a HEIF sequence.
  let orientation: MediaInfo.Orientation
  /// Whether libav decodes the frames of a sequence.
  private let decodesFrames: Bool
  private let loader: Loader
  private let choice: ImageChoice
  private var options: mediatool_load_options?
  private let frames: Int
  private let maxPixels: Int
  private let strict: Bool
  private let maxAnimationPixels: Int

  init(
    _ source: borrowing ImageSource, origin: ImageOrigin, requests: [RenditionRequest], frames: Int, strict: Bool,
    limits: MediaLimits
  ) throws(MediaFailure) {
    loader = origin.loader
    choice = origin.choice
    decodesFrames = origin.loader.frames != nil && (frames > 1 || origin.choice.isInSequence)
    orientation =
      decodesFrames && origin.loader == .vips(.heif) ? origin.choice.tracks.orientation : origin.orientation
    self.frames = frames
    self.strict = strict
    maxPixels = limits.pixels
    maxAnimationPixels = limits.animationPixels
    guard case .vips(let loader) = origin.loader else {
      let displayed = origin.displayed ?? PixelSize(width: 1, height: 1)
      scalePlan = ScalePlan(requests: requests, displayed: displayed, orientation: orientation)
      shrink = 1
      return
    }
    // An animation has all its frames.
    let page = frames > 1 ? 0 : origin.choice.index
    var options = mediatool_load_options(
      loader: loader, shrink: 1, scale: 1, page: CInt(clamping: page), pages: CInt(clamping: frames),
      subpage: origin.choice.subpage.map { CInt(clamping: $0) } ?? -1, thumbnail: origin.heifThumbnail, strict: strict)
    let displayed: PixelSize
    if let known = origin.displayed, loader != .svg {
      displayed = known
    } else {
      // The facts lack the size of a vector image, or any size: the loader's header decides.
      displayed = orientation.displayed(try source.open(options).size)
    }
    scalePlan = ScalePlan(requests: requests, displayed: displayed, orientation: orientation)
    let hasCrop = requests.contains { $0.crop != nil } || origin.letterboxCrop != nil
    switch loader {
    case .jpeg where origin.letterboxCrop == nil: options.shrink = CInt(scalePlan.jpegShrink)
    case .webp where !hasCrop: options.scale = min(1, scalePlan.drawingScale)
    case .svg where !hasCrop: options.scale = scalePlan.drawingScale
    default: break
    }
    shrink = Int(options.shrink)
    self.options = options
  }

  /// Opens the image; pixels are decoded later.
  func image(
    _ source: borrowing ImageSource, input: borrowing MediaInput
  ) throws(MediaFailure) -> Image {
    if decodesFrames, let libav = loader.frames {
      let isAnimation = frames > 1
      return try Image.frames(
        of: input, through: libav, tracks: choice.tracks, first: isAnimation ? 0 : choice.index, count: frames,
        maxPixels: isAnimation ? maxAnimationPixels : maxPixels)
    }
    if let options {
      do throws(MediaFailure) {
        let image = try source.open(options)
        return choice.isPremultiplied && image.hasAlpha ? try image.unpremultiplied() : image
      } catch {
        // A HEIF sequence may lack a still image next to its track, and libheif reads nothing else.
        guard options.loader == .heif, frames == 1, let libav = loader.frames,
          let first = try? Image.frames(
            of: input, through: libav, tracks: choice.tracks, first: 0, count: 1, maxPixels: maxPixels)
        else { throw error }
        return first
      }
    }
    switch loader {
    case .libav(let codec): return try source.decode(codec: codec, maxPixels: maxPixels)
    case .own(let own): return try source.read(own, input: input, strict: strict, maxPixels: maxPixels)
    case .vips, .rawPreview: throw .noImageOfThisType
    }
  }
}
