internal import MediaModel
internal import MediaProbe

/// The way of one vCard: the photo in it, when there is one.
struct ContactRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    throw MediaFailure(.unsupported, "There is no picture of this type of file.")
  }
}
