internal import Dispatch
internal import Foundation

/// An engine that starts when it is first needed: a scan without new files needs none.
package final class LazyEngine: Sendable {
  private let start: @Sendable () throws(MediaEngine.StartFailure) -> MediaEngine
  private let remembered: @Sendable () -> String?
  private let started = Locked<Result<MediaEngine, MediaEngine.StartFailure>?>(nil)

  /// - Parameter start: Called once, on the thread of the first caller.
  package convenience init(start: @escaping @Sendable () throws(MediaEngine.StartFailure) -> MediaEngine) {
    self.init(knownVersion: { nil }, start: start)
  }

  /// - Parameters:
  ///   - knownVersion: The version that the engine would have; nil if that is not known without starting it.
  ///   - start: Called once, on the thread of the first caller.
  package init(
    knownVersion: @escaping @Sendable () -> String?,
    start: @escaping @Sendable () throws(MediaEngine.StartFailure) -> MediaEngine
  ) {
    remembered = knownVersion
    self.start = start
  }

  /// The version that the engine has or would have, without starting it; nil if that is not known.
  package var knownVersion: String? { remembered() }

  /// Returns the engine and starts it if necessary. Blocking.
  package func get() throws(MediaEngine.StartFailure) -> MediaEngine {
    try started.withLock { started in
      if let started { return started }
      let result: Result<MediaEngine, MediaEngine.StartFailure>
      do throws(MediaEngine.StartFailure) { result = .success(try start()) } catch { result = .failure(error) }
      started = result
      return result
    }.get()
  }

  /// Starts the engine on another thread in advance.
  package func prepare() { Thread.detachNewThread { _ = try? self.get() } }
}
