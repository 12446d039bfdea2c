internal import MediaModel
internal import MediaProbe

/// The way of one vCard: the photo in it, when there is one, as an image of its own.
struct ContactRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// - Throws: `corrupt` when the photo is none: a card has nothing else to show.
  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    if let error = info.error { throw error }
    guard let photo = try VCardPhoto.bytes(of: input) else { return ThumbnailResult() }
    return try EmbeddedImage(from: .embedded, requests: requests, options: options, deadline: deadline).render(photo)
  }
}
