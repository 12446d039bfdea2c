internal import Foundation
internal import MediaEngine

/// A scan on threads of its own, for the lifetime of its reader.
final class RunningScan: Sendable {
  let events: EventBuffer
  private let stopSignal: StopSignal?

  init(_ scan: MediaScan) {
    let events = EventBuffer(
      capacity: scan.options.maxPendingEvents, willWait: scan.options.willWaitForReader)
    self.events = events
    do throws(StopSignal.Failure) {
      let stop = try StopSignal()
      stopSignal = stop
      let thread = Thread { ScanSession(scan: scan, events: events, stop: stop).run() }
      thread.name = "mediatool.scan"
      thread.start()
    } catch {
      stopSignal = nil
      events.finish(.failure(.system(error.message)))
    }
  }

  deinit {
    stop()
    events.close()
  }

  /// Begins no more files. Files in progress are finished and reported.
  func stop() { stopSignal?.request() }
}
