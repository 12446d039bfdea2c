internal import CMediaShims
internal import CVips
internal import MediaModel
internal import MediaProbe

/// Stops the decoding of the pictures that it guards when the deadline passes.
///
/// Must outlive them and all that was made of them: declare it first.
final class DecodingDeadline {
  private let pointer: OpaquePointer
  private let deadline: Deadline

  init(_ deadline: Deadline) {
    self.deadline = deadline
    pointer = mediatool_vips_deadline_new(deadline.nanosecondsLeft)
  }

  deinit { mediatool_vips_deadline_free(pointer) }

  /// The same picture, whose pixels can be had only until the deadline.
  func guarded(_ picture: borrowing Picture) throws(MediaFailure) -> Picture {
    try picture.withImage { (image) throws(MediaFailure) in
      try Picture.make { mediatool_vips_guard(image, pointer, $0, $1) }
    }
  }

  /// `timedOut` in place of `failure` when the deadline has passed.
  func reason(for failure: MediaFailure) -> MediaFailure {
    guard deadline.hasPassed || mediatool_vips_deadline_has_stopped(pointer) else { return failure }
    return .timedOut(detail: failure.detail)
  }
}
