internal import MediaModel
internal import MediaProbe

/// Renders an image that is embedded in another file: a cover or a photo. It is untrusted and gets the same checks as
/// any image.
struct EmbeddedImage {
  /// The source to state in the renditions.
  let from: Rendition.Source
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// - Throws: `corrupt` if it is not an image; otherwise the errors of image rendering.
  func render(_ bytes: [UInt8]) throws(MediaFailure) -> ThumbnailResult {
    let input = try MediaInput(bytes: bytes)
    var prober = MediaProber()
    prober.options.limits = options.limits
    let secondsLeft = Double(deadline.nanosecondsLeft) / 1e9
    prober.options.limits.probeSeconds = min(options.limits.probeSeconds, secondsLeft)
    let info = prober.facts(of: input)
    guard Content(info) == .image else {
      if let error = info.error, error.code == .timedOut { throw error }
      throw MediaFailure(
        .corrupt, "The embedded thumbnail cannot be identified as an image.", detail: info.type.rawValue)
    }
    input.set(deadline: deadline)
    let renderer = ImageRenderer(info: info, requests: requests, options: options, deadline: deadline)
    var result = try renderer.render(input)
    for index in result.renditions.indices { result.renditions[index].from = from }
    return result
  }
}
