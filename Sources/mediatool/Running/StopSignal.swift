internal import Foundation
internal import Glibc
internal import Synchronization

/// Says that a run is to stop: no new file is begun, those that are running come to their end.
final class StopSignal: Sendable {
  /// Can be read once a stop is requested: for `poll`, beside the descriptor that is waited for.
  let descriptor: CInt
  private let writeEnd: CInt
  private let requested = Atomic<Bool>(false)
  private let received = Atomic<CInt>(0)

  init() throws(Fault) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Fault(.software, "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    (descriptor, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Whether a stop is requested. Never takes it back.
  var isRequested: Bool { requested.load(ordering: .acquiring) }

  /// The signal that asked for the stop; nil when no signal did.
  var signal: CInt? {
    let number = received.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Requests a stop.
  func request() {
    guard !requested.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// From now on the first Ctrl-C or SIGTERM requests a stop, and the second ends the process at once.
  ///
  /// Called before any other thread is made, for threads take over which signals are blocked. The signals are waited for on a
  /// thread, not handled in a handler, where next to nothing may be called.
  func watchSignals() {
    var watched = sigset_t()
    sigemptyset(&watched)
    for signal in [SIGINT, SIGTERM] {
      // One that the parent has us ignore, as a shell does for a command in the background, stays ignored.
      var action = sigaction()
      sigaction(signal, nil, &action)
      if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) {
        sigaddset(&watched, signal)
      }
    }
    pthread_sigmask(SIG_BLOCK, &watched, nil)
    let signals = watched
    Thread.detachNewThread { [self] in
      while true {
        var signal: CInt = 0
        var waited = signals
        guard sigwait(&waited, &signal) == 0 else { continue }
        if received.exchange(signal, ordering: .acquiringAndReleasing) != 0 { _exit(ExitStatus.interrupted.rawValue) }
        request()
      }
    }
  }
}
