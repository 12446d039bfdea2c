internal import MediaModel

extension MediaLimits {
  /// Refuses an image with more pixels than allowed.
  func check(pixels count: Int) throws(MediaFailure) {
    guard count <= pixels else {
      throw MediaFailure(.tooManyPixels, "The image has more than \(pixels) pixels.")
    }
  }

  /// Refuses an animation with more pixels than allowed, all frames counted.
  func check(animationPixels each: Int, frames: Int) throws(MediaFailure) {
    let (count, overflow) = each.multipliedReportingOverflow(by: frames)
    guard !overflow, count <= animationPixels else {
      throw MediaFailure(.tooManyPixels, "The animation has more than \(animationPixels) pixels.")
    }
  }
}
