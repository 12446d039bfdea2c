internal import Foundation
package import MediaEngineProtocol
public import MediaModel

/// Finds facts and makes images of files, with the decoders in processes of their own: a file that crashes one, hangs it or blows it up
/// costs that file, and is its result.
///
/// Bounded: so many jobs run and so many wait; one more is refused. The same job asked for twice at the same time is done once. No call blocks
/// a thread of Swift's pool. One engine serves a whole process.
///
/// What is thrown is about the engine and never about the file: `busy`, `cancelled`, and `unavailable` when no worker can be started. What is
/// wrong with the file stands in its result.
public final class MediaEngine: Sendable {
  /// What stands between the decoders and this machine; none of it for decoders in this process.
  package let layers: IsolationLayers
  /// What the decoders are.
  package let description: EngineDescription

  private let core: EngineCore
  /// Jobs that run at once.
  package let running: Int

  /// Starts an engine, and waits until its first worker has locked itself in.
  /// - Throws: ``StartFailure`` when there is no worker, or when it cannot lock itself in and ``Configuration/allowsWeakerIsolation`` does
  ///   not permit that.
  public static func start(_ configuration: Configuration = Configuration()) async throws(StartFailure) -> MediaEngine {
    let starting = try EngineBootstrap(configuration)
    let failure = await withCheckedContinuation { continuation in
      starting.core.startSlot { continuation.resume(returning: $0) }
    }
    return try starting.engine(after: failure, configuration)
  }

  /// The same for a caller that may block its thread.
  package static func startBlocking(_ configuration: Configuration) throws(StartFailure) -> MediaEngine {
    let starting = try EngineBootstrap(configuration)
    let answer = OneShot<WorkerStartFailure?>()
    starting.core.startSlot { answer.set($0) }
    return try starting.engine(after: answer.wait(), configuration)
  }

  init(layers: IsolationLayers, description: EngineDescription, core: EngineCore, running: Int) {
    self.layers = layers
    self.description = description
    self.core = core
    self.running = running
  }

  deinit { core.stop() }

  /// The versions of the decoders in one line: results may change when it does, and a stored failure is worth another try.
  public var version: String { description.version }

  /// The layers of isolation that do not hold, by name: `limits`, `noDumps`, `noPrivileges`, `landlock`, `seccomp`. Empty when all hold; all of
  /// them for decoders in this process. docs/security.md says what each layer stops.
  public var missingLayers: [String] { layers.named.filter { !$0.isOn }.map(\.name) }

  /// Ends the engine and waits for its workers to be gone. Running jobs are abandoned, and their callers get `cancelled`.
  public func shutdown() async {
    core.stop()
    await join()
  }

  /// Finishes the jobs that were accepted, running and waiting, refuses new ones as `cancelled`, then ends the workers and waits for them to be
  /// gone. When the task is cancelled, the rest is as in ``shutdown()``.
  public func shutdownGracefully() async {
    core.drain()
    await withTaskCancellationHandler {
      await join()
    } onCancel: { [core] in
      core.stop()
    }
  }

  private func join() async {
    await withCheckedContinuation { continuation in
      // Joining blocks; on a thread that is nobody else's.
      Thread.detachNewThread { [core] in
        core.join()
        continuation.resume()
      }
    }
  }

  /// The facts of a file.
  /// - Parameters:
  ///   - source: The file.
  ///   - claim: What somebody says the file to be; compared with the content.
  ///   - options: What is looked for, and how far.
  ///   - priority: Whether a person waits for it.
  public func probe(
    _ source: MediaSource, claim: MediaType.Claim? = nil, options: ProbeOptions = ProbeOptions(),
    priority: Priority = .interactive
  ) async throws(MediaFailure) -> MediaInfo {
    try await answer(MediaJob(facts: .found(options, claim: claim)), source, priority).result.info
  }

  /// Images of a file whose facts are known.
  /// - Parameters:
  ///   - source: The file.
  ///   - info: Its facts, as ``probe(_:claim:options:priority:)`` found them in the same bytes.
  ///   - requests: The renditions; none gives only the placeholder.
  ///   - options: How they are made.
  ///   - priority: Whether a person waits for it.
  public func render(
    _ source: MediaSource, info: MediaInfo, requests: [RenditionRequest],
    options: ThumbnailOptions = ThumbnailOptions(),
    priority: Priority = .interactive
  ) async throws(MediaFailure) -> ThumbnailResult {
    let job = MediaJob(facts: .given(info), images: .init(options: options, requests: requests))
    let answer = try await answer(job, source, priority)
    return answer.result.thumbnails ?? ThumbnailResult(error: answer.result.info.error)
  }

  /// Facts, renditions, poster or waveform and placeholder of a file in one call: it is opened and sent once.
  /// - Parameters:
  ///   - source: The file.
  ///   - claim: What somebody says the file to be; compared with the content.
  ///   - request: What is looked for and made.
  ///   - priority: Whether a person waits for it.
  public func preview(
    _ source: MediaSource, claim: MediaType.Claim? = nil, _ request: PreviewRequest, priority: Priority = .interactive
  ) async throws(MediaFailure) -> MediaPreview {
    MediaPreview(try await answer(request.job(claim: claim), source, priority))
  }

  /// A video or an audio file written anew, in at most so many bytes.
  ///
  /// Takes seconds to minutes: its deadline is `MediaLimits.transcodeSeconds`, and a caller who gives up ends it within a second.
  /// - Parameters:
  ///   - source: The file.
  ///   - info: Its facts, as ``probe(_:claim:options:priority:)`` found them in the same bytes.
  ///   - request: What it becomes.
  ///   - priority: Whether a person waits for it.
  ///   - progress: Told how far it has come, each encoding in hundredths, or in seconds where its length is not known. Called on the thread that
  ///     watches the worker's memory and its deadline, which it must not hold up. A job that is joined is told of from there on; one that begins
  ///     again, because its worker died by no fault of the file or the file was changed, is told of from its beginning. A call may come just
  ///     after `cancelled` was thrown, and none after a result. Default: nobody.
  public func transcode(
    _ source: MediaSource, info: MediaInfo, _ request: TranscodeRequest, priority: Priority = .interactive,
    progress: (@Sendable (TranscodeProgress) -> Void)? = nil
  ) async throws(MediaFailure) -> TranscodeResult {
    let job = MediaJob(facts: .given(info), transcoding: request)
    let answer = try await answer(job, source, priority, progress: progress)
    return answer.result.transcoded ?? TranscodeResult(error: answer.result.info.error)
  }

  /// The answer of a job.
  func answer(
    _ job: MediaJob, _ source: MediaSource, _ priority: Priority, isBounded: Bool = false,
    progress: ProgressHandler? = nil
  ) async throws(MediaFailure) -> JobAnswer {
    let relay = CancellationRelay(queue: core.queue)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        relay.position = submit(job, source, priority, isBounded: isBounded, progress: progress) {
          continuation.resume(returning: $0)
        }
      }
    } onCancel: {
      relay.request()
    }
    return try result.get()
  }

  /// The answer of a job, for a caller that may block its thread.
  package func answerBlocking(
    _ job: MediaJob, _ source: MediaSource, priority: MediaEngine.Priority = .interactive
  ) throws(MediaFailure) -> JobAnswer {
    let answer = OneShot<Result<JobAnswer, MediaFailure>>()
    _ = submit(job, source, priority, isBounded: true) { answer.set($0) }
    return try answer.wait().get()
  }

  /// Jobs that wait for a slot, for tests.
  package var waitingCount: Int { core.queue.waitingCount }

  private func submit(
    _ job: MediaJob, _ source: MediaSource, _ priority: Priority, isBounded: Bool,
    progress: ProgressHandler? = nil, completion: @escaping Completion
  ) -> JobQueue.Position? {
    let key = JobKey(source: source, job: job.withoutPath)
    return core.submit(key, priority: priority, isBounded: isBounded, progress: progress, completion: completion)
  }
}
