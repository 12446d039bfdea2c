internal import Foundation
internal import Glibc
internal import Synchronization

/// A request to stop a run: no new file is begun, and files in progress are finished.
package final class StopSignal: Sendable {
  /// The reason why a signal cannot be created.
  package struct Failure: Error, Sendable {
    /// One sentence for the administrator.
    package let message: String
  }

  /// Becomes readable when a stop is requested: for `poll`, together with other descriptors.
  package let descriptor: CInt
  private let writeEnd: CInt
  private let requested = Atomic<Bool>(false)
  private let received = Atomic<CInt>(0)

  package init() throws(Failure) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(message: "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    (descriptor, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Whether a stop was requested. Never reset.
  package var isRequested: Bool { requested.load(ordering: .acquiring) }

  /// The UNIX signal that requested the stop; nil if none did.
  package var signal: CInt? {
    let number = received.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Requests a stop from any thread, and wakes who waits for it. Further requests have no effect.
  package func request() {
    guard !requested.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// Requests a stop because of a UNIX signal.
  /// - Returns: Whether it is the first signal.
  package func request(by signal: CInt) -> Bool {
    let isFirst = received.exchange(signal, ordering: .acquiringAndReleasing) == 0
    request()
    return isFirst
  }
}
