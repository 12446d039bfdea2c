internal import MediaModel
internal import MediaProbe

/// Renditions of a picture that another file carries, a cover or a photo: a picture from a stranger like any other, with the same checks.
struct EmbeddedPicture {
  /// What the renditions say they were made of.
  let from: Rendition.Source
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// - Throws: `corrupt` when it is no picture; else whatever pictures throw.
  func render(_ bytes: [UInt8]) throws(MediaFailure) -> ThumbnailResult {
    let input = try MediaInput(bytes: bytes)
    var prober = MediaProber()
    prober.options.limits = options.limits
    let secondsLeft = Double(deadline.nanosecondsLeft) / 1e9
    prober.options.limits.probeSeconds = min(options.limits.probeSeconds, secondsLeft)
    let info = prober.facts(of: input)
    guard Content(info) == .picture else {
      if let error = info.error, error.code == .timedOut { throw error }
      throw MediaFailure(.corrupt, "The embedded picture is no picture.", detail: info.type.rawValue)
    }
    input.set(deadline: deadline)
    let renderer = PictureRenderer(info: info, requests: requests, options: options, deadline: deadline)
    var result = try renderer.render(input)
    for index in result.renditions.indices { result.renditions[index].from = from }
    return result
  }
}
