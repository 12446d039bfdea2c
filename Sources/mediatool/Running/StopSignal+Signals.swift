internal import Foundation
internal import Glibc
internal import MediaEngine

extension StopSignal {
  /// Creates the stop signal of the run.
  static func make() throws(Fault) -> StopSignal {
    do throws(StopSignal.Failure) { return try StopSignal() } catch { throw Fault(.software, error.message) }
  }

  /// From now on the first Ctrl-C or SIGTERM requests a stop, and the second ends the process at once.
  ///
  /// Called before any other thread is started, because threads inherit the signal mask. A thread waits for the signals, because a handler may call
  /// next to nothing.
  func watchSignals() {
    var watched = sigset_t()
    sigemptyset(&watched)
    for signal in [SIGINT, SIGTERM] {
      // A signal that the parent has set to be ignored, as a shell does for background commands, stays ignored.
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
        if !request(by: signal) { _exit(ExitStatus.interrupted.rawValue) }
      }
    }
  }
}
