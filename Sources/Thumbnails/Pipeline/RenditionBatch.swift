internal import MediaModel

/// Requests that share one decode. Pure.
struct RenditionBatch: Equatable {
  /// The indices of the requests.
  var indices: [Int]
  /// Number of frames to decode.
  var frames = 1
  /// The reason why a requested animation becomes a still.
  var shortfall: MediaFailure?

  /// Groups requests: stills share one decode, animations another. A vector image is rendered for each size, which is
  /// sharper than reducing it.
  static func batches(
    of requests: [RenditionRequest], info: MediaInfo, origin: ImageOrigin, limits: MediaLimits
  ) -> [RenditionBatch] {
    var stills = RenditionBatch(indices: [])
    var moving = RenditionBatch(indices: [], frames: info.frames ?? 1)
    for (index, request) in requests.enumerated() {
      guard request.animated, request.format.resolved == .webp, info.animated == true, origin.loader.animates else {
        stills.indices.append(index)
        continue
      }
      if let shortfall = shortfall(of: request, info: info, limits: limits) {
        stills.indices.append(index)
        stills.shortfall = shortfall
      } else {
        moving.indices.append(index)
      }
    }
    if origin.loader.draws {
      return stills.indices.map { RenditionBatch(indices: [$0]) }
    }
    return [stills, moving].filter { !$0.indices.isEmpty }
  }

  /// The reason why not all frames may be decoded; nil if they may.
  private static func shortfall(of request: RenditionRequest, info: MediaInfo, limits: MediaLimits) -> MediaFailure? {
    let frames = info.frames ?? 1
    if frames > limits.frames {
      return MediaFailure(
        .tooManyFrames,
        "The animation has \(frames.grouped) frames; the limit is \(limits.frames.grouped). Only one frame is used."
      )
    }
    let (pixels, overflow) = frames.multipliedReportingOverflow(by: info.displaySize?.pixelCount ?? .max)
    // An enlarged animation is also kept in memory as a whole before it is written.
    let scale = max(1, info.displaySize.map { ScalePlan.scale(of: request, displayed: $0) } ?? 1)
    if overflow || Double(pixels) * scale * scale > Double(limits.animationPixels) {
      return MediaFailure(
        .tooManyPixels,
        "The animation has more than \(limits.animationPixels.grouped) pixels; only one frame is used.")
    }
    return nil
  }
}
