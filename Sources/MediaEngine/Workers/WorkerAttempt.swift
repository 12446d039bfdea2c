internal import CEngineShims
internal import Glibc
internal import MediaEngineProtocol
internal import MediaModel

/// One attempt of a job on one worker: sends it, waits, and validates the answer.
struct WorkerAttempt: ~Copyable {
  enum Outcome {
    case answered(MediaJobResult)
    /// The worker has died, or must be killed.
    case died(WorkerDeath)
  }

  private let worker: WorkerProcess
  private let job: MediaJob
  /// The job as it is sent; nil if it cannot be encoded.
  private let text: [UInt8]?
  private let number: UInt64
  private let size: Int
  private let limits: MediaEngine.WorkerLimits
  private let budget: MemoryBudget
  private let wake: CInt
  private let progress: ProgressHandler
  private var stage: JobStage
  private var deadline: ContinuousClock.Instant
  /// Whether the deadline is that of an abandoned job.
  private var isLeaving = false
  /// Answers the ranges that the worker asks for; nil for a file with a descriptor.
  private let ranges: RangeExchange?
  /// How much of the worker's time was left when it began to wait for a range.
  private var timeLeft = Duration.zero
  /// The last progress that the worker reported.
  private var lastProgress: TranscodeProgress?
  /// The facts found before images were made.
  private(set) var facts: MediaInfo?

  /// - Parameters:
  ///   - text: The job as it is sent; nil if it cannot be encoded.
  ///   - ranges: Answers the ranges that the worker asks for; nil for a file with a descriptor.
  init(
    worker: WorkerProcess, job: MediaJob, text: [UInt8]?, number: UInt64, size: Int, limits: MediaEngine.WorkerLimits,
    budget: MemoryBudget, wake: CInt, ranges: RangeExchange? = nil, progress: @escaping ProgressHandler
  ) {
    self.worker = worker
    self.job = job
    self.text = text
    self.number = number
    self.size = size
    self.limits = limits
    self.budget = budget
    self.wake = wake
    self.progress = progress
    self.ranges = ranges
    stage = job.firstStage
    deadline = Self.deadline(seconds: job.seconds(of: stage, info: nil), limits)
  }

  /// Sends the job and waits for the outcome.
  /// - Parameter begun: Called once the job is on its way.
  mutating func run(descriptor: CInt, isAbandoned: () -> Bool, begun: () -> Void = {}) -> Outcome {
    let stated = ranges == nil ? [] : RangeMessages.size(size)
    guard let text, let frame = Frame(kind: .job, job: number, text: text, bytes: stated) else {
      return .answered(JobAnswer(.requestTooLong, of: job, size: size).result)
    }
    // Four processors at most; the deadline stops a decoder that hangs on all of them.
    let seconds = 4 * (Self.clamped(job.longestSeconds) + 3 * Self.clamped(limits.graceSeconds))
    _ = mediatool_limit_processor_time(worker.process.process, Int64(max(1, seconds)))
    worker.beginJob()
    worker.send(frame, descriptor: descriptor, bounds: ResultBounds(of: job))
    defer { budget.remove(worker.process.process) }
    begun()
    while true {
      let event = worker.next(until: deadline, wake: wake)
      if let outcome = take(event, descriptor: descriptor, isAbandoned: isAbandoned) { return outcome }
    }
  }

  private mutating func take(
    _ event: WorkerProcess.Event, descriptor: CInt, isAbandoned: () -> Bool
  ) -> Outcome? {
    switch event {
    case .frame(let frame):
      do throws(ProtocolViolation) { return try take(frame, descriptor: descriptor) } catch {
        return .died(.violation(error.reason, stale: frame.header.job < number))
      }
    case .violation(let violation): return .died(.violation(violation.reason, stale: false))
    case .closed:
      // A process that exits closes its socket just before. One that closes it and lives on was not killed from outside.
      guard worker.ends(within: Self.dyingTime) else {
        return .died(.violation("closed its socket without exiting", stale: false))
      }
      return .died(WorkerDeath(worker.end(), memoryKills: worker.hasSeenMemoryKills))
    case .tick:
      // While only progress arrives, the slot is not woken, so this checks for cancellation.
      if lastProgress != nil { leave(if: isAbandoned) }
      return excess.map { .died($0) }
    case .deadline: return .died(late)
    case .woken:
      do throws(ProtocolViolation) { try answerRange() } catch {
        return .died(.violation(error.reason, stale: false))
      }
      leave(if: isAbandoned)
      return nil
    }
  }

  /// The limit that the worker exceeds; nil for none.
  private var excess: WorkerDeath? {
    if let bytes = worker.residentBytes(), bytes > limits.residentBytes { return .memory }
    if let threads = worker.threadCount(), threads > limits.threads { return .threads }
    return budget.note(worker.extraBytes(), of: worker.process.process) ? .budget : nil
  }

  /// Most jobs end within a quarter of a second, for which a new worker would cost more.
  private mutating func leave(if isAbandoned: () -> Bool) {
    guard !isLeaving, isAbandoned() else { return }
    isLeaving = true
    deadline = min(deadline, .now.advanced(by: Self.leaveTime))
  }

  /// Sends the range that has been fetched, if any; the worker's time runs again.
  private mutating func answerRange() throws(ProtocolViolation) {
    guard let (frame, _) = try ranges?.answer(job: number) else { return }
    if !isLeaving { deadline = .now.advanced(by: timeLeft) }
    worker.send(frame)
  }

  private var late: WorkerDeath { isLeaving ? .abandoned : .deadline }

  private mutating func take(_ frame: Frame, descriptor: CInt) throws(ProtocolViolation) -> Outcome? {
    guard frame.header.job == number else { throw ProtocolViolation("answer to another job") }
    guard worker.hasSentAll else { throw ProtocolViolation("answer before the whole request was sent") }
    switch frame.header.kind {
    case .stage:
      let message = try Messages.value(Messages.Stage.self, of: frame)
      guard message.stage > stage, message.stage == .transcoding ? job.transcoding != nil : job.images != nil else {
        throw ProtocolViolation("stage out of order")
      }
      try ResultCheck.check(message.info, size: size(stated: message.info.bytes, descriptor), given: job.facts)
      stage = message.stage
      facts = message.info
      if !isLeaving { deadline = Self.deadline(seconds: job.seconds(of: stage, info: facts), limits) }
      return nil
    case .progress:
      // There may be many of them without a pause.
      guard ContinuousClock.now < deadline else { return .died(late) }
      let step = try Messages.value(TranscodeProgress.self, of: frame)
      guard stage == .transcoding else { throw ProtocolViolation("progress of a stage that has not begun") }
      try ResultCheck.check(step, of: job, after: lastProgress)
      lastProgress = step
      progress(step)
      return nil
    case .result:
      var result = try Messages.result(of: frame)
      try ResultCheck.check(result, of: job, size: size(stated: result.info.bytes, descriptor))
      if let failure = ranges?.failure { return .answered(JobAnswer(failure, of: job, size: size).result) }
      if case .given(let info) = job.facts { result.info = info }
      return .answered(result)
    case .ask:
      // There may be many of them without a pause.
      guard ContinuousClock.now < deadline else { return .died(late) }
      guard let step = try ranges?.take(frame) else {
        throw ProtocolViolation("the worker asked for a range although it has a descriptor of the file")
      }
      switch step {
      case .answer(let frame): worker.send(frame)
      case .fetching(let end):
        timeLeft = ContinuousClock.now.duration(to: deadline)
        if !isLeaving { deadline = end }
      }
      return nil
    case .greeting, .job, .piece:
      throw ProtocolViolation("the worker sent a message of a kind that only the engine may send")
    }
  }

  /// The file size to compare with the worker's. A file that is written during the job may have any size between its old and its new one.
  private func size(stated: Int, _ descriptor: CInt) -> Int {
    var status = stat()
    guard stated != size, fstat(descriptor, &status) == 0 else { return size }
    let now = Int(status.st_size)
    return (min(size, now)...max(size, now)).contains(stated) ? stated : size
  }

  private static func deadline(seconds: Double, _ limits: MediaEngine.WorkerLimits) -> ContinuousClock.Instant {
    .now.advanced(by: .milliseconds(Int64((clamped(seconds) + clamped(limits.graceSeconds)) * 1_000)))
  }

  /// Seconds from 0 to one day; 0 for NaN.
  private static func clamped(_ seconds: Double) -> Double { max(0, min(seconds, 86_400)) }

  /// Time for which an abandoned job may continue.
  private static let leaveTime = Duration.milliseconds(250)
  /// Maximum time for a process to exit after it has closed its socket. By then the kernel has freed its memory.
  private static let dyingTime = Duration.seconds(2)
}

extension MediaFailure {
  fileprivate static let requestTooLong = MediaFailure(
    .invalidRequest, "The request is larger than the limit of \(HumanNumbers.limit(4 << 20)).")
}
