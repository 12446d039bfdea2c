internal import MediaModel
internal import MediaProbe

/// Renders one vCard: its embedded photo, if there is one.
struct ContactRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  /// - Throws: `corrupt` if the photo is no image, because a contact has nothing else to show.
  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    if let error = info.error { throw error }
    guard let photo = try VCardPhoto.bytes(of: input) else { return ThumbnailResult() }
    return try EmbeddedImage(from: .embedded, requests: requests, options: options, deadline: deadline).render(photo)
  }
}
