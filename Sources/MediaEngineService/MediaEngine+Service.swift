public import MediaEngine
public import ServiceLifecycle

/// An engine as one of the services of a process, started and ended by a `ServiceGroup`.
extension MediaEngine: Service {
  /// Waits until the group shuts down gracefully or the task is cancelled, and ends the engine.
  ///
  /// After graceful shutdown new jobs are refused, those that were accepted are finished (`shutdownGracefully()`), and the workers are ended.
  /// After cancellation running jobs are abandoned (`shutdown()`). A group ends its services in the reverse of their order: put the engine before
  /// the services that use it.
  public func run() async {
    do {
      try await gracefulShutdown()
    } catch {
      // The task was cancelled.
      return await shutdown()
    }
    await shutdownGracefully()
  }
}
