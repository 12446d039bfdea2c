internal import MediaModel

/// Which pixels of a file stand for it: the image itself, or a smaller one that it carries. Pure.
struct ImageOrigin: Equatable {
  let loader: Loader
  /// The bytes that are read.
  let range: Range<Int>
  let from: Rendition.Source
  /// The embedded thumbnail of a HEIF file, which its own loader finds.
  var heifThumbnail = false
  /// The size of the upright image of this origin; nil when the facts do not say.
  let displayed: PixelSize?
  /// What has to be turned after decoding.
  let orientation: Orientation
  /// Whether the pixels are sRGB although a profile stands beside them.
  var isSRGB = false
  /// The range of the signals, when it is more than a standard display shows.
  var highRange: HighRange?
  /// The shape that the upright image has to be cut to, when the embedded thumbnail has bars that the image has not.
  var letterboxCrop: PixelRect?

  /// - Throws: `unsupported` when nothing here makes pixels of the type.
  init(info: MediaInfo, requests: [RenditionRequest], draft: Bool) throws(MediaFailure) {
    guard let loader = Loader(type: info.type) else {
      throw .noImageOfThisType
    }
    let orientation = loader.turnsUpright ? .up : info.orientation ?? .up
    isSRGB = info.colorProfile.map(Self.namesOfSRGB.contains) ?? false
    if let embedded = info.embeddedThumbnail,
      loader == .rawPreview || Self.suffices(embedded, info: info, requests: requests, draft: draft)
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
        self.highRange = HighRange(info: info, loader: self.loader)
        self.letterboxCrop = loader == .rawPreview ? nil : Self.letterboxCrop(of: shown, matching: info.displaySize)
        return
      }
    }
    guard loader != .rawPreview else {
      throw MediaFailure(.unsupported, "This camera raw carries no preview.")
    }
    self.loader = loader
    self.range = 0..<info.bytes
    self.from = .image
    self.displayed = info.displaySize
    self.orientation = orientation
    self.highRange = HighRange(info: info, loader: loader)
  }

  /// The requests for this origin: a crop, which is given in pixels of the image, in those of the preview that stands for a raw.
  func requests(_ requests: [RenditionRequest], of info: MediaInfo) -> [RenditionRequest] {
    guard from == .embedded, let full = info.displaySize, let displayed, full != displayed else { return requests }
    return requests.map { request in
      var mapped = request
      mapped.crop = request.crop.map { Self.scaled($0, from: full, to: displayed) }
      return mapped
    }
  }

  /// The rectangle that shows the same part of a smaller or larger image: each edge at the nearest pixel, one pixel at least.
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

  /// The descriptions under which the profile of sRGB goes in cameras, phones, Photoshop and libvips itself.
  private static let namesOfSRGB: Set<String> = [
    "sRGB", "sRGB IEC61966-2.1", "sRGB IEC61966-2-1", "sRGB built-in", "sRGB Color Space Profile", "sRGB2014",
  ]

  /// Whether the embedded thumbnail shows the same image and has every pixel that is asked for, or is good enough for a draft.
  private static func suffices(
    _ embedded: EmbeddedThumbnail, info: MediaInfo, requests: [RenditionRequest], draft: Bool
  ) -> Bool {
    guard embedded.width > 0, embedded.height > 0, let full = info.displaySize, full.isPositive,
      requests.allSatisfy({ $0.crop == nil && !$0.animated && !$0.allowsUpscaling })
    else { return false }
    let shown = shown(embedded, info: info)
    // What is larger than the image is no thumbnail of it, but a decoder's work made up.
    guard shown.width <= full.width, shown.height <= full.height else { return false }
    if draft { return true }
    guard letterboxCrop(of: shown, matching: full) == nil else { return false }
    return requests.allSatisfy { request in
      let scale = ScalePlan.scale(of: request, displayed: full)
      return Double(full.width) * scale <= Double(shown.width) + 0.5
        && Double(full.height) * scale <= Double(shown.height) + 0.5
    }
  }

  /// The size of the embedded thumbnail once it stands upright.
  private static func shown(_ embedded: EmbeddedThumbnail, info: MediaInfo) -> PixelSize {
    let stored = PixelSize(width: embedded.width, height: embedded.height)
    guard embedded.offset == nil else { return (info.orientation ?? .up).displayed(stored) }
    // libheif turns a thumbnail like its image; the facts give it as stored.
    return info.displaySize.map { turned(stored, like: $0) } ?? stored
  }

  private static func turned(_ size: PixelSize, like other: PixelSize) -> PixelSize {
    (size.width > size.height) == (other.width > other.height) ? size : size.transposed
  }

  /// The part of a thumbnail that has the shape of the image; nil when that is all of it, give or take rounding.
  static func letterboxCrop(of thumbnail: PixelSize, matching full: PixelSize?) -> PixelRect? {
    guard let full, full.isPositive, thumbnail.isPositive else { return nil }
    let height = Int((Double(thumbnail.width) * Double(full.height) / Double(full.width)).rounded())
    let width = Int((Double(thumbnail.height) * Double(full.width) / Double(full.height)).rounded())
    // EXIF thumbnails are 160 × 120 whatever the camera's shape, cut or padded with bars above and below (or beside) the image.
    if height < thumbnail.height - 1, height > 0 {
      return PixelRect(x: 0, y: (thumbnail.height - height) / 2, width: thumbnail.width, height: height)
    }
    if width < thumbnail.width - 1, width > 0 {
      return PixelRect(x: (thumbnail.width - width) / 2, y: 0, width: width, height: thumbnail.height)
    }
    return nil
  }
}
