internal import Dispatch
internal import Foundation

/// An engine that is started when it is first needed: a scan that finds nothing new needs none.
package final class LazyEngine: Sendable {
  private let start: @Sendable () throws(MediaEngine.StartFailure) -> MediaEngine
  private let started = Locked<Result<MediaEngine, MediaEngine.StartFailure>?>(nil)

  /// - Parameter start: Called once, on the thread of whoever is first.
  package init(start: @escaping @Sendable () throws(MediaEngine.StartFailure) -> MediaEngine) { self.start = start }

  /// The engine. Blocking.
  package func get() throws(MediaEngine.StartFailure) -> MediaEngine {
    try started.withLock { started in
      if let started { return started }
      let result: Result<MediaEngine, MediaEngine.StartFailure>
      do throws(MediaEngine.StartFailure) { result = .success(try start()) } catch { result = .failure(error) }
      started = result
      return result
    }.get()
  }

  /// Starts it on another thread, for it will be needed.
  package func prepare() { Thread.detachNewThread { _ = try? self.get() } }
}
