internal import MediaModel

extension MediaLimits {
  /// Throws if an image has more pixels than allowed.
  func check(pixels count: Int) throws(MediaFailure) {
    guard count <= pixels else {
      throw MediaFailure(.tooManyPixels, "The image has \(count.grouped) pixels; the limit is \(pixels.grouped).")
    }
  }

  /// Throws if an animation has more pixels than allowed, summed over all frames.
  func check(animationPixels each: Int, frames: Int) throws(MediaFailure) {
    let (count, overflow) = each.multipliedReportingOverflow(by: frames)
    guard !overflow, count <= animationPixels else {
      throw MediaFailure(
        .tooManyPixels,
        "The animation has \(frames.grouped) frames of \(each.grouped) pixels; the limit is \(animationPixels.grouped) pixels in total."
      )
    }
  }
}
