internal import MediaModel
internal import MediaProbe

/// Turns the pixels of one rendition into the bytes of a file.
struct RenditionEncoder {
  let request: RenditionRequest
  let from: Rendition.Source
  /// Whether time counts for more than bytes.
  let isDraft: Bool
  let deadline: Deadline

  /// Encodes at the quality asked for, or at the best one that keeps the byte budget.
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

  /// The best quality at or under the budget, found by halving; when the lowest is still too large, smaller images of the same.
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
    // A box that the image may stay below can be left emptier; one that it has to fill cannot.
    let smaller = PixelSize(width: image.width * 3 / 4, height: image.height * 3 / 4)
    guard request.fit == .contain, smaller.width >= 16, smaller.height >= 16, image.frames == 1 else {
      throw MediaFailure(.tooLarge, "The image cannot be made smaller than \(budget) bytes.")
    }
    var step = RenditionRequest(name: request.name, box: smaller)
    step.colorSpace = request.colorSpace
    step.chroma = request.chroma
    return try rendition(try image.resized(for: step).inMemory(), budget: budget)
  }

  /// How long WebP's encoder searches. At 160 × 120 a draft's 1 takes 43 % of the time of its default 4, and 7 % more bytes.
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
  /// Defaults of docs/design.md §4; AVIF's 60 is our own choice.
  var defaultQuality: Int {
    switch self {
    case .webp, .automatic: 79
    case .jpeg: 80
    case .avif: 60
    case .png: 100
    }
  }

  /// The qualities that a byte budget may choose from: none better than the default, none so bad that nobody would want it.
  var qualities: ClosedRange<Int> {
    switch self {
    case .png: 100...100
    default: 20...defaultQuality
    }
  }
}
