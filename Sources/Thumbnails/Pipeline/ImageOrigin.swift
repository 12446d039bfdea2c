internal import MediaModel
internal import MediaProbe

/// The pixels that represent a file: the image itself, or in a draft a smaller one that is embedded in it. Pure.
///
/// An embedded preview shows what its writer liked, and not always the image: it is never used unless asked for.
struct ImageOrigin: Equatable {
  let loader: Loader
  /// The range of bytes to decode.
  let range: Range<Int>
  let from: Rendition.Source
  /// Whether to use the embedded thumbnail of a HEIF file, which its own loader finds.
  var heifThumbnail = false
  /// The upright size of these pixels; nil if unknown.
  let displayed: PixelSize?
  /// The orientation to apply after decoding.
  let orientation: MediaInfo.Orientation
  /// Whether the pixels are sRGB although a profile is present.
  var isSRGB = false
  /// The HDR signal, if it exceeds a standard display.
  var highRange: HDRSignal?
  /// The crop to the shape of the upright image, if the embedded thumbnail has letterbox bars.
  var letterboxCrop: PixelRect?
  /// Which of the images, pages and frames of the file represents it.
  var choice = ImageChoice()

  /// - Parameter draft: Whether the embedded preview may replace the image. Only a camera raw has no other image.
  /// - Throws: `unsupported` if the type cannot be decoded.
  init(info: MediaInfo, requests: [RenditionRequest], draft: Bool) throws(MediaFailure) {
    guard let loader = Loader(type: info.type) else {
      throw .noImageOfThisType
    }
    let orientation = loader.turnsUpright ? .up : info.orientation ?? .up
    isSRGB = info.colorProfile.map(Self.namesOfSRGB.contains) ?? false
    if let embedded = info.embeddedThumbnail,
      loader == .rawPreview || draft && Self.canReplace(info, by: embedded, for: requests)
    {
      let isHEIF = embedded.offset == nil
      if !isHEIF || loader.findsThumbnail {
        let shown = Self.shown(embedded, info: info)
        self.loader = isHEIF ? loader : .jpeg
        self.range =
          embedded.offset.map { max(0, $0)..<max(0, $0) + max(0, min(embedded.bytes, info.bytes)) } ?? 0..<info.bytes
        self.from = .embedded
        self.heifThumbnail = isHEIF
        self.displayed = shown
        self.orientation = isHEIF ? .up : info.orientation ?? .up
        self.highRange = HDRSignal(info: info, loader: self.loader)
        self.letterboxCrop = loader == .rawPreview ? nil : Self.letterboxCrop(of: shown, matching: info.displaySize)
        return
      }
    }
    guard loader != .rawPreview else {
      throw MediaFailure(.unsupported, "The camera raw file has no embedded preview.")
    }
    self.loader = loader
    self.range = 0..<info.bytes
    self.from = .image
    self.displayed = info.displaySize
    self.orientation = orientation
    self.highRange = HDRSignal(info: info, loader: loader)
  }

  /// The requests for these pixels: crops in pixels of the image are converted to pixels of a raw's preview.
  func requests(_ requests: [RenditionRequest], of info: MediaInfo) -> [RenditionRequest] {
    guard from == .embedded, let full = info.displaySize, let displayed, full != displayed else { return requests }
    return requests.map { request in
      var mapped = request
      mapped.crop = request.crop.map { Self.scaled($0, from: full, to: displayed) }
      return mapped
    }
  }

  /// The rectangle that shows the same part of a smaller or larger image. Edges are rounded to whole pixels; the result
  /// has at least one pixel.
  static func scaled(_ rect: PixelRect, from full: PixelSize, to other: PixelSize) -> PixelRect {
    func span(_ start: Int, _ length: Int, _ side: Int, _ target: Int) -> (start: Int, length: Int) {
      let scale = Double(target) / Double(side)
      let first = min(Int((Double(start) * scale).rounded()), target - 1)
      let end = min(Int((Double(start + length) * scale).rounded()), target)
      return (first, max(1, end - first))
    }
    guard full.isPositive, other.isPositive, rect.lies(inside: full) else { return rect }
    let across = span(rect.x, rect.width, full.width, other.width)
    let down = span(rect.y, rect.height, full.height, other.height)
    return PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
  }

  /// The descriptions of the sRGB profile in cameras, phones, Photoshop and libvips.
  private static let namesOfSRGB: Set<String> = [
    "sRGB", "sRGB IEC61966-2.1", "sRGB IEC61966-2-1", "sRGB built-in", "sRGB Color Space Profile", "sRGB2014",
  ]

  /// Whether the embedded thumbnail is good enough for a draft.
  private static func canReplace(
    _ info: MediaInfo, by embedded: MediaInfo.EmbeddedThumbnail, for requests: [RenditionRequest]
  ) -> Bool {
    // What is compared is compared with the image itself.
    guard embedded.width > 0, embedded.height > 0, let full = info.displaySize, full.isPositive,
      requests.allSatisfy({ $0.crop == nil && !$0.animated && !$0.allowsUpscaling && $0.comparedIn == nil })
    else { return false }
    // A thumbnail larger than the image is bogus and would only cost decoding time.
    let shown = shown(embedded, info: info)
    return shown.width <= full.width && shown.height <= full.height
  }

  /// The upright size of the embedded thumbnail.
  private static func shown(_ embedded: MediaInfo.EmbeddedThumbnail, info: MediaInfo) -> PixelSize {
    let stored = PixelSize(width: embedded.width, height: embedded.height)
    guard embedded.offset == nil else { return (info.orientation ?? .up).displayed(stored) }
    // libheif rotates a thumbnail like its image; the facts have the stored size.
    return info.displaySize.map { turned(stored, like: $0) } ?? stored
  }

  private static func turned(_ size: PixelSize, like other: PixelSize) -> PixelSize {
    (size.width > size.height) == (other.width > other.height) ? size : size.transposed
  }

  /// The part of a thumbnail that has the shape of the image; nil if that is the whole thumbnail, apart from rounding.
  static func letterboxCrop(of thumbnail: PixelSize, matching full: PixelSize?) -> PixelRect? {
    guard let full, full.isPositive, thumbnail.isPositive else { return nil }
    let height = Int((Double(thumbnail.width) * Double(full.height) / Double(full.width)).rounded())
    let width = Int((Double(thumbnail.height) * Double(full.width) / Double(full.height)).rounded())
    // EXIF thumbnails are 160 × 120 for any camera: cropped, or padded with bars on two sides of the image.
    if height < thumbnail.height - 1, height > 0 {
      return PixelRect(x: 0, y: (thumbnail.height - height) / 2, width: thumbnail.width, height: height)
    }
    if width < thumbnail.width - 1, width > 0 {
      return PixelRect(x: (thumbnail.width - width) / 2, y: 0, width: width, height: thumbnail.height)
    }
    return nil
  }
}
