internal import CEngineShims
internal import MediaEngineProtocol
internal import MediaModel

/// One job on one helper: sent, waited for, its answer looked at before it is believed.
struct HelperAttempt: ~Copyable {
  enum Outcome {
    case answered(MediaJobResult)
    /// The helper is no more, or must not be.
    case died(HelperDeath)
  }

  private let helper: HelperProcess
  private let job: MediaJob
  /// The job as it is sent; nil where it cannot be.
  private let text: [UInt8]?
  private let number: UInt64
  private let size: Int
  private let limits: MediaEngine.HelperLimits
  private let wake: CInt
  private var stage: JobStage
  private var deadline: ContinuousClock.Instant
  /// Whether the deadline is that of an abandoned job.
  private var isLeaving = false
  /// What was found of the file before pictures were made.
  private(set) var facts: MediaInfo?

  init(
    helper: HelperProcess, job: MediaJob, text: [UInt8]?, number: UInt64, size: Int, limits: MediaEngine.HelperLimits,
    wake: CInt
  ) {
    self.helper = helper
    self.job = job
    self.text = text
    self.number = number
    self.size = size
    self.limits = limits
    self.wake = wake
    stage = job.firstStage
    deadline = Self.deadline(seconds: job.seconds(of: stage, info: nil), limits)
  }

  /// Sends the job and waits for what comes of it.
  mutating func run(descriptor: CInt, isAbandoned: () -> Bool) -> Outcome {
    guard let text, let frame = Frame(kind: .job, job: number, text: text) else {
      return .answered(JobAnswer(.requestTooLong, of: job, size: size).result)
    }
    // Four processors at most; a decoder that hangs in all of them is stopped by the deadline anyway.
    let seconds = 4 * (min(job.longestSeconds, 86_400) + 3 * limits.graceSeconds)
    _ = mediatool_limit_processor_time(helper.process.process, Int64(max(1, seconds)))
    var event = helper.send(frame, descriptor: descriptor, deadline: deadline, wake: wake)
    while true {
      if let event, let outcome = take(event, isAbandoned: isAbandoned) { return outcome }
      event = helper.next(until: deadline, wake: wake)
    }
  }

  private mutating func take(_ event: HelperProcess.Event, isAbandoned: () -> Bool) -> Outcome? {
    switch event {
    case .frame(let frame):
      do throws(ProtocolViolation) { return try take(frame) } catch {
        return .died(.violation(error.reason, stale: frame.header.job < number))
      }
    case .violation(let violation): return .died(.violation(violation.reason, stale: false))
    case .closed:
      let memoryKills = mediatool_memory_kills() > helper.memoryKillsBefore
      return .died(HelperDeath(helper.end(), memoryKills: memoryKills))
    case .tick:
      return helper.residentBytes().map { $0 > limits.residentBytes } ?? false ? .died(.memory) : nil
    case .deadline: return .died(isLeaving ? .abandoned : .deadline)
    case .woken:
      // Most jobs end within this: a new helper would cost more.
      if isAbandoned(), !isLeaving {
        isLeaving = true
        deadline = min(deadline, .now.advanced(by: Self.leaveTime))
      }
      return nil
    }
  }

  private mutating func take(_ frame: Frame) throws(ProtocolViolation) -> Outcome? {
    guard frame.header.job == number else { throw ProtocolViolation("an answer to another job") }
    switch frame.header.kind {
    case .stage:
      let message = try Messages.value(Messages.Stage.self, of: frame)
      guard message.stage > stage, message.stage == .transcoding ? job.transcoding != nil : job.pictures != nil else {
        throw ProtocolViolation("a part that does not come next")
      }
      try ResultCheck.check(message.info, size: size, given: job.facts)
      stage = message.stage
      facts = message.info
      if !isLeaving { deadline = Self.deadline(seconds: job.seconds(of: stage, info: facts), limits) }
      return nil
    case .result:
      let result = try Messages.result(of: frame)
      try ResultCheck.check(result, of: job, size: size)
      return .answered(result)
    case .greeting, .job: throw ProtocolViolation("a message that is the engine's")
    }
  }

  private static func deadline(seconds: Double, _ limits: MediaEngine.HelperLimits) -> ContinuousClock.Instant {
    let total = max(0, min(seconds, 1e6)) + max(0, min(limits.graceSeconds, 1e6))
    return .now.advanced(by: .milliseconds(Int64(total * 1_000)))
  }

  /// How long a job that nobody waits for may go on.
  private static let leaveTime = Duration.milliseconds(250)
}

extension MediaFailure {
  fileprivate static let requestTooLong = MediaFailure(.invalidRequest, "The request is longer than 4 MiB.")
}
