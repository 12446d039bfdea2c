internal import MediaModel
internal import MediaProbe

/// Encodes the pixels of one rendition.
struct RenditionEncoder {
  let request: RenditionRequest
  let from: Rendition.Source
  /// Whether speed matters more than size.
  let isDraft: Bool
  let deadline: Deadline

  /// Encodes at the requested quality, or at the best quality within the size limit.
  func encode(_ image: borrowing Image) throws(MediaFailure) -> Rendition {
    if request.format.resolved == .jpeg, image.hasAlpha {
      return try fit(try image.flattened(on: request.background).inMemory())
    }
    return try fit(image)
  }

  private func fit(_ image: borrowing Image) throws(MediaFailure) -> Rendition {
    let best = request.format.resolved.defaultQuality
    switch request.encoding {
    case .quality(let quality):
      return try rendition(image, quality: quality ?? best)
    case .maxBytes(let budget):
      return try rendition(image, budget: budget)
    }
  }

  /// The best quality within the size limit, found by bisection. If the lowest is still too large, the image is
  /// reduced.
  private func rendition(_ image: borrowing Image, budget: Int) throws(MediaFailure) -> Rendition {
    let qualities = request.format.resolved.qualities
    var fitting: Rendition?
    var low = qualities.lowerBound
    var high = qualities.upperBound
    while low <= high {
      try deadline.check()
      let quality = low + (high - low + 1) / 2
      let candidate = try rendition(image, quality: quality)
      if candidate.data.count <= budget {
        fitting = candidate
        low = quality + 1
      } else {
        high = quality - 1
      }
    }
    if let fitting { return fitting }
    // An image that is contained in its box may become smaller; one that fills it may not.
    let smaller = PixelSize(width: image.width * 3 / 4, height: image.height * 3 / 4)
    guard request.fit == .contain, smaller.width >= 16, smaller.height >= 16, image.frames == 1 else {
      throw MediaFailure(
        .tooLarge,
        "The image does not fit into \(HumanNumbers.limit(budget)) even at the lowest quality; request a smaller size or more bytes."
      )
    }
    var step = RenditionRequest(name: request.name, box: smaller)
    step.colorSpace = request.colorSpace
    step.chroma = request.chroma
    return try rendition(try image.resized(for: step).inMemory(), budget: budget)
  }

  /// The effort of the WebP encoder. At 160 × 120, a draft's 1 takes 43 % of the time of the default 4, and gives 7 %
  /// more bytes.
  private var effort: Int { isDraft ? 1 : 4 }

  private func rendition(_ image: borrowing Image, quality: Int) throws(MediaFailure) -> Rendition {
    let format = request.format.resolved
    var data = try image.encoded(
      as: format, quality: quality, chroma: request.chroma, effort: effort,
      keepingProfile: request.colorSpace == .p3 && image.hasProfile)
    if format == .webp { data = WebPContainer.removingMetadata(data) }
    return Rendition(
      name: request.name, type: format.type, width: image.width, height: image.height, frames: image.frames,
      from: from, quality: format == .png ? nil : quality, data: data)
  }
}

extension RenditionRequest.Format {
  /// The defaults of docs/design.md §4; AVIF's 60 is our own choice.
  var defaultQuality: Int {
    switch self {
    case .webp, .automatic: 79
    case .jpeg: 80
    case .avif: 60
    case .png: 100
    }
  }

  /// The range of qualities for a size limit: at most the default, and not so low that the image is useless.
  var qualities: ClosedRange<Int> {
    switch self {
    case .png: 100...100
    default: 20...defaultQuality
    }
  }
}
