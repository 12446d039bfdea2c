internal import Logging
internal import MediaEngine
internal import MediaLibrary

/// What keeps the library safe while it is served.
extension MediaService {
  /// Runs daily tasks when they are due, until its task is cancelled. Apart from other sweeps: one may take hours.
  func keepUp() async {
    repeat {
      await sweepCopy()
      await sweepVerification()
    } while (try? await Task.sleep(for: .seconds(60))) != nil
  }

  /// Runs a daily task if it is due, on a thread of its own. An error is logged, and the task is tried again an hour later; one that an erasure ended, with the
  /// next call.
  /// - Parameter body: Ends soon when the closure that it gets returns true: the service ends. The next start does the rest.
  func runIfDue(_ task: DailyTask, _ body: @escaping @Sendable (_ isStopped: () -> Bool) throws -> Void) async {
    let (now, stopped, library) = (now(), Locked(false), library.library)
    do {
      guard upkeep.mayRun(task, at: now), try await database.read({ db in try task.isDue(at: now, db) }) else { return }
      try await withTaskCancellationHandler {
        try await upkeep.threads.run { try body { stopped.withLock { $0 } } }
      } onCancel: {
        stopped.withLock { $0 = true }
        library.interruptBackUp()
      }
      if stopped.withLock({ $0 }) { return }
      try await database.write { db in try task.note(at: now, db) }
      upkeep.noteFailure(of: task, at: nil)
    } catch is CancellationError {
      // The service ends.
    } catch {
      let isBusy = (error as? LibraryError)?.code == .busy
      upkeep.noteFailure(of: task, at: isBusy ? nil : now)
      guard !isBusy else {
        logger.warning(
          "a daily task was interrupted by an erasure and will be repeated", metadata: ["task": "\(task.rawValue)"])
        return
      }
      logger.error("a daily task failed", metadata: ["task": "\(task.rawValue)", "error": "\(error)"])
    }
  }
}
