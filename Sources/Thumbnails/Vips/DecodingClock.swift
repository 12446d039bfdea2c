internal import CMediaShims
internal import CVips
internal import MediaModel

/// Stops the evaluation of whatever hangs on one picture when the deadline passes.
///
/// Must outlive the picture and all that was made of it: declare it first.
final class DecodingClock {
  private var clocks: [UnsafeMutableRawPointer] = []
  private let deadline: Deadline

  init(_ deadline: Deadline) { self.deadline = deadline }

  deinit { for clock in clocks { g_free(clock) } }

  /// Sets the clock on a freshly opened picture.
  func watch(_ picture: borrowing Picture) {
    clocks.append(picture.withImage { mediatool_vips_set_deadline($0, deadline.nanosecondsLeft) })
  }

  /// `timedOut` in place of `failure` when the clock struck.
  func reason(for failure: MediaFailure) -> MediaFailure {
    let struck = deadline.hasPassed || clocks.contains { mediatool_vips_deadline_struck($0) }
    return struck ? MediaFailure(.timedOut, "The deadline passed.", detail: failure.detail) : failure
  }
}
