internal import CMediaShims
internal import CVips
internal import MediaModel
internal import MediaProbe

/// Stops decoding of the guarded images when the deadline passes.
///
/// It must outlive them and everything made from them: declare it first.
final class DecodingDeadline {
  private let pointer: OpaquePointer
  private let deadline: Deadline

  init(_ deadline: Deadline) {
    self.deadline = deadline
    pointer = mediatool_vips_deadline_new(deadline.nanosecondsLeft)
  }

  deinit { mediatool_vips_deadline_free(pointer) }

  /// The same image, whose pixels can be had only until the deadline.
  func applied(to image: borrowing Image) throws(MediaFailure) -> Image {
    try image.withImage { (image) throws(MediaFailure) in
      try Image.make { mediatool_vips_guard(image, pointer, $0, $1) }
    }
  }

  /// `timedOut` instead of `failure` if the deadline has passed.
  func reason(for failure: MediaFailure) -> MediaFailure {
    guard deadline.hasPassed || mediatool_vips_deadline_has_stopped(pointer) else { return failure }
    return .timedOut(detail: failure.detail)
  }
}
