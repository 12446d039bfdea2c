internal import Dispatch
internal import Foundation
internal import MediaEngine
internal import MediaEngineProtocol

/// An engine that is started when it is first needed: a scan that finds nothing new needs none.
final class LazyEngine: Sendable {
  private let start: @Sendable () throws(Fault) -> MediaEngine
  private let started = Locked<Result<MediaEngine, Fault>?>(nil)

  /// - Parameter start: Called once, on the thread of whoever is first.
  init(start: @escaping @Sendable () throws(Fault) -> MediaEngine) { self.start = start }

  /// The engine. Blocking.
  func get() throws(Fault) -> MediaEngine {
    try started.withLock { started in
      if let started { return started }
      let result: Result<MediaEngine, Fault>
      do throws(Fault) { result = .success(try start()) } catch { result = .failure(error) }
      started = result
      return result
    }.get()
  }

  /// Starts it on another thread, for it will be needed.
  func prepare() { Thread.detachNewThread { _ = try? self.get() } }

  /// The versions of what decodes, as a catalogue keeps them.
  func version() throws(Fault) -> String { try get().description.version }
}
