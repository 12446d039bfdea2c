internal import MediaModel
internal import MediaProbe

/// The way of one vCard: the photo in it, when there is one, as a picture of its own.
struct ContactRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    if let error = info.error { throw error }
    guard let bytes = try VCardPhoto.bytes(of: input) else { return ThumbnailResult() }
    let photo = try MediaInput(bytes: bytes)
    var prober = MediaProber()
    prober.options.limits = options.limits
    let facts = prober.facts(of: photo)
    guard Content(facts) == .picture else {
      throw MediaFailure(.corrupt, "The photo in the card is no picture.", detail: facts.type.rawValue)
    }
    photo.set(deadline: deadline)
    let renderer = PictureRenderer(info: facts, requests: requests, options: options, deadline: deadline)
    var result = try renderer.render(photo)
    for index in result.renditions.indices { result.renditions[index].from = .embedded }
    return result
  }
}
