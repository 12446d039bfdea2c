internal import MediaModel
internal import MediaProbe

/// The way of one video: facts → key frames → the best of them → renditions.
struct VideoRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    throw MediaFailure(.unsupported, "There is no picture of this type of file.")
  }
}
