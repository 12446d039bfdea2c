internal import Foundation
package import MediaEngineProtocol
public import MediaModel

/// Probes, renders and transcodes files in worker processes: a file that crashes a decoder, hangs it or exhausts its memory fails alone.
///
/// The numbers of running and waiting jobs are limited; further jobs are refused. A job requested several times at once is done once. No call
/// blocks a thread of Swift's pool. One engine serves a whole process.
///
/// Methods throw failures of the engine only: `busy`, `cancelled`, and `unavailable` if no worker can be started. A failure of the file is part of
/// its result.
public final class MediaEngine: Sendable {
  /// The isolation layers of the workers; none for decoders in this process.
  package let layers: IsolationLayers
  /// The decoders and the formats that they support.
  package let description: EngineDescription

  private let core: EngineCore
  /// Number of concurrent jobs.
  package let running: Int
  /// Whose a file is where a call does not say.
  private let domain: TrustDomain

  /// Starts an engine, and waits until its first worker is isolated.
  /// - Throws: ``StartFailure`` if no worker can be started, or if its isolation is incomplete and ``Configuration/allowsWeakerIsolation`` is false.
  public static func start(_ configuration: Configuration = Configuration()) async throws(StartFailure) -> MediaEngine {
    let starting = try EngineBootstrap(configuration)
    let failure = await withCheckedContinuation { continuation in
      starting.start(configuration) { continuation.resume(returning: $0) }
    }
    return try starting.engine(after: failure, configuration)
  }

  /// Starts an engine and blocks the calling thread.
  package static func startBlocking(_ configuration: Configuration) throws(StartFailure) -> MediaEngine {
    let starting = try EngineBootstrap(configuration)
    let answer = OneShot<WorkerStartFailure?>()
    starting.start(configuration) { answer.set($0) }
    return try starting.engine(after: answer.wait(), configuration)
  }

  init(layers: IsolationLayers, description: EngineDescription, core: EngineCore, running: Int, domain: TrustDomain) {
    self.layers = layers
    self.description = description
    self.core = core
    self.running = running
    self.domain = domain
  }

  deinit { core.stop() }

  /// The versions of the decoders in one line. When it changes, results may change, and stored failures are worth another try.
  public var version: String { description.version }

  /// Names of the isolation layers that are not active: `limits`, `noDumps`, `noPrivileges`, `landlock`, `seccomp`. Empty if all are active; all of
  /// them for decoders in this process. docs/security.md describes each layer.
  public var missingLayers: [String] { layers.named.filter { !$0.isOn }.map(\.name) }

  /// Ends the engine and waits until its workers have ended. Running jobs are abandoned, and their callers get `cancelled`.
  public func shutdown() async {
    core.stop()
    await join()
  }

  /// Finishes the accepted jobs, running and waiting, refuses new ones as `cancelled`, then ends the workers and waits until they have ended. If the
  /// task is cancelled, continues as ``shutdown()``.
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
      // Joining blocks, so it needs a thread of its own.
      Thread.detachNewThread { [core] in
        core.join()
        continuation.resume()
      }
    }
  }

  /// Finds the facts of a file.
  /// - Parameters:
  ///   - source: The file.
  ///   - claim: The stated type or name of the file, which is compared with the content.
  ///   - options: The facts to find, and the limits.
  ///   - domain: The trust domain of the file; no worker serves two. Default nil: ``Configuration/domain``.
  ///   - priority: Whether a person is waiting.
  public func probe(
    _ source: MediaSource, claim: MediaType.Claim? = nil, options: ProbeOptions = ProbeOptions(),
    domain: TrustDomain? = nil, priority: Priority = .interactive
  ) async throws(MediaFailure) -> MediaInfo {
    try await answer(MediaJob(facts: .found(options, claim: claim)), source, domain, priority).result.info
  }

  /// Renders images of a file whose facts are known.
  /// - Parameters:
  ///   - source: The file.
  ///   - info: Its facts, as ``probe(_:claim:options:domain:priority:)`` found them in the same bytes.
  ///   - requests: The renditions; if empty, only the placeholder is made.
  ///   - options: How images are made.
  ///   - domain: The trust domain of the file; no worker serves two. Default nil: ``Configuration/domain``.
  ///   - priority: Whether a person is waiting.
  public func render(
    _ source: MediaSource, info: MediaInfo, requests: [RenditionRequest],
    options: ThumbnailOptions = ThumbnailOptions(), domain: TrustDomain? = nil, priority: Priority = .interactive
  ) async throws(MediaFailure) -> ThumbnailResult {
    let job = MediaJob(facts: .given(info), images: .init(options: options, requests: requests))
    let answer = try await answer(job, source, domain, priority)
    return answer.result.thumbnails ?? ThumbnailResult(error: answer.result.info.error)
  }

  /// Finds facts and makes renditions, poster or waveform, and placeholder of a file in one call: the file is opened and sent once.
  /// - Parameters:
  ///   - source: The file.
  ///   - claim: The stated type or name of the file, which is compared with the content.
  ///   - request: The facts to find and the images to make.
  ///   - domain: The trust domain of the file; no worker serves two. Default nil: ``Configuration/domain``.
  ///   - priority: Whether a person is waiting.
  public func preview(
    _ source: MediaSource, claim: MediaType.Claim? = nil, _ request: MediaPreview.Request, domain: TrustDomain? = nil,
    priority: Priority = .interactive
  ) async throws(MediaFailure) -> MediaPreview {
    MediaPreview(try await answer(request.job(claim: claim), source, domain, priority))
  }

  /// Encodes a video or an audio file again, to fit a size in bytes.
  ///
  /// Takes seconds to minutes. The time limit is `MediaLimits.transcodeSeconds`; cancelling ends the job within a second.
  /// - Parameters:
  ///   - source: The file.
  ///   - info: Its facts, as ``probe(_:claim:options:domain:priority:)`` found them in the same bytes.
  ///   - request: The target format and limits.
  ///   - domain: The trust domain of the file; no worker serves two. Default nil: ``Configuration/domain``.
  ///   - priority: Whether a person is waiting.
  ///   - progress: Called with the progress of each encoding in hundredths, or in seconds if the duration is not known. Runs on the thread that
  ///     watches the worker's memory and deadline, and must not block. A caller that joins a running job gets its progress from then on. If a job
  ///     starts again, because the file was changed or its worker died without its fault, so does the progress. One call may follow a `cancelled`
  ///     error, and none follows a result. Default: none.
  public func transcode(
    _ source: MediaSource, info: MediaInfo, _ request: TranscodeRequest, domain: TrustDomain? = nil,
    priority: Priority = .interactive, progress: (@Sendable (TranscodeProgress) -> Void)? = nil
  ) async throws(MediaFailure) -> TranscodeResult {
    let job = MediaJob(facts: .given(info), transcoding: request)
    let answer = try await answer(job, source, domain, priority, progress: progress)
    return answer.result.transcoded ?? TranscodeResult(error: answer.result.info.error)
  }

  /// Waits for the answer of a job.
  func answer(
    _ job: MediaJob, _ source: MediaSource, _ domain: TrustDomain?, _ priority: Priority, isBounded: Bool = false,
    progress: ProgressHandler? = nil
  ) async throws(MediaFailure) -> JobAnswer {
    let relay = CancellationRelay(queue: core.queue)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        relay.position = submit(job, source, domain, priority, isBounded: isBounded, progress: progress) {
          continuation.resume(returning: $0)
        }
      }
    } onCancel: {
      relay.request()
    }
    return try result.get()
  }

  /// Waits for the answer of a job and blocks the calling thread.
  package func answerBlocking(
    _ job: MediaJob, _ source: MediaSource, domain: TrustDomain? = nil, priority: MediaEngine.Priority = .interactive
  ) throws(MediaFailure) -> JobAnswer {
    let answer = OneShot<Result<JobAnswer, MediaFailure>>()
    _ = submit(job, source, domain, priority, isBounded: true) { answer.set($0) }
    return try answer.wait().get()
  }

  /// Number of jobs that wait for a slot, for tests.
  package var waitingCount: Int { core.queue.waitingCount }

  private func submit(
    _ job: MediaJob, _ source: MediaSource, _ domain: TrustDomain?, _ priority: Priority, isBounded: Bool,
    progress: ProgressHandler? = nil, completion: @escaping Completion
  ) -> JobQueue.Position? {
    let key = JobKey(source: source, job: job.withoutPath, domain: domain ?? self.domain)
    return core.submit(key, priority: priority, isBounded: isBounded, progress: progress, completion: completion)
  }
}
