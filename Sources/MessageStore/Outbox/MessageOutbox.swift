internal import Foundation
internal import MMSCodec
internal import MediaLibrary
internal import Messaging

/// Carries out what a store is to send and to download, in the order in which it is due.
///
/// Each request is stored before it is made, and its outcome before what follows from it. After a restart an outbox continues: a multimedia message
/// is sent again with the same transaction, by which the carrier recognises it. The calls of the store are made on a thread of the
/// outbox's own.
public final class MessageOutbox: Sendable {
  private let store: MessageStore
  private let network: any Network
  private let threads = BlockingThreads(limit: 1)

  /// An outbox of a store. Use one per store.
  public init(_ store: MessageStore, network: any Network) { (self.store, self.network) = (store, network) }

  /// Seconds until the next attempt after the first failure of the store and after many in a row, unless it changes before. A request that failed
  /// waits longer than that: the others are made meanwhile.
  private static let pauses: ClosedRange<Double> = 1...60

  /// Carries out everything, now and in future, until its task is cancelled or the store is closed. A failure ends nothing: after a full disk, a busy
  /// database or a message that cannot be read, it continues after a pause of 1 to 60 seconds, or when the store changes.
  /// - Parameter report: Called with each such failure, for a log. Does nothing by default.
  /// - Throws: ``MessageStore/Failure`` for a store that can never be written: one that is open for reading.
  public func run(reporting report: @Sendable (any Error) -> Void = { _ in }) async throws {
    var pause = Self.pauses.lowerBound
    while !Task.isCancelled {
      // Changes from here on wake it, so that none is missed between the two steps.
      let changes = store.changes
      let store = store
      let wait: Double
      do {
        try await runDue { report($0) }
        let due = try await threads.run { try store.nextDue() }
        wait = due.map { min(max(0, $0 - store.options.now()), 3_600) } ?? 3_600
        pause = Self.pauses.lowerBound
      } catch is CancellationError {
        return
      } catch {
        // Calls of a store that is being closed fail; what was under way is carried out after the next start.
        if store.feed.isFinished { return }
        if let failure = error as? MessageStore.Failure, failure.code == .readOnly { throw failure }
        report(error)
        let due = try? await threads.run { try store.nextDue() }
        wait = Self.wait(pause: pause, due: due ?? nil, now: store.options.now())
        pause = min(2 * pause, Self.pauses.upperBound)
      }
      let isOpen = await withTaskGroup { group in
        group.addTask {
          for await _ in changes { return true }
          return false
        }
        group.addTask { (try? await Task.sleep(for: .seconds(wait))) != nil }
        defer { group.cancelAll() }
        return await group.next() ?? false
      }
      if !isOpen { return }
    }
  }

  /// Seconds until the next attempt after the store has failed: the pause, or less if a request becomes due before its end.
  static func wait(pause: Double, due: Double?, now: Double) -> Double {
    // What was due when the store failed has been tried.
    guard let due, due > now else { return pause }
    return min(pause, due - now)
  }

  /// Carries out what is due now. Outcomes that could not be stored before, for example on a full disk, are stored first. A request that fails
  /// keeps no others from being made, unless the store cannot be written.
  /// - Returns: Number of requests that were made.
  /// - Throws: ``MessageStore/Failure``, the first one; `CancellationError`.
  @discardableResult
  public func runDue() async throws -> Int {
    var failure: (any Error)?
    let count = try await runDue { failure = failure ?? $0 }
    if let failure { throw failure }
    return count
  }

  /// - Parameter failed: Called with the failure of each request that was given back, to be made again later.
  /// - Throws: What keeps all requests from being made.
  @discardableResult
  private func runDue(failed: (any Error) -> Void) async throws -> Int {
    var count = 0
    let store = store
    try await threads.run { try store.storeOutcomes() }
    while let job = try await threads.run({ try store.leaseNext() }) {
      do {
        try await carryOut(job)
        count += 1
      } catch {
        let isReleased = await giveBack(job, after: Self.pause(after: error))
        guard isReleased, !(error is CancellationError) else { throw error }
        failed(error)
      }
      try Task.checkCancellation()
    }
    return count
  }

  /// Seconds until a request is carried out again that failed in this store. What is damaged stays so until it is repaired, and another download of its message
  /// would cost as much again.
  private static func pause(after error: any Error) -> Double {
    if error is CancellationError { return 0 }
    return (error as? MessageStore.Failure)?.code == .corrupt ? 3_600 : 60
  }

  /// Releases a request that was not carried out. If that cannot be stored either, or if its outcome was not, the next ``runDue()`` does so.
  /// - Returns: Whether it was released.
  private func giveBack(_ job: OutboxJob, after delay: Double) async -> Bool {
    let store = store
    do {
      return try await storing {
        guard !store.leases.hasOutcome(of: job) else { return false }
        try store.release(job, after: delay)
        return true
      }
    } catch {
      store.leases.keep(.again, of: job)
      return false
    }
  }

  private func carryOut(_ job: OutboxJob) async throws {
    switch job.kind {
    case .submit: try await submit(job)
    case .fetch: try await fetch(job)
    case .answer: try await answer(job)
    case .timer: try await finish(job)
    }
  }

  private func submit(_ job: OutboxJob) async throws {
    let store = store
    let prepared: Result<(MessageSending.Request, Request)?, any Error>
    do { prepared = .success(try await storing { try store.request(job) }) } catch { prepared = .failure(error) }
    switch prepared {
    case .success(nil): try await finish(job)
    case .failure(let error):
      // A message that can never be encoded fails rather than blocking those after it. What may pass, such as too many open files, is tried again.
      guard let failure = error as? MessageStore.Failure, failure.isPermanent else { throw error }
      let request = try StoredJSON.value(MessageSending.Request.self, job.content)
      try await finish(
        job, .requestFailed(transactionID: request.transactionID, .permanent(.attachmentMissing)))
    case .success((let request, let message)?):
      // Nothing was sent yet.
      try Task.checkCancellation()
      try await finish(job, await event(of: request, message))
    }
  }

  /// The outcome of a request.
  private func event(
    of request: MessageSending.Request, _ message: Request
  ) async -> MessageSending.Event {
    let id = request.transactionID
    do {
      switch (message, try await network.submit(message)) {
      case (.sms, .sms(let reference)): return .accepted(transactionID: id, messageID: reference)
      case (.mms, .mms(let octets)):
        // The answer belongs to the request, whatever transaction the carrier writes. Only M-Send.conf is an answer: any other PDU would leave the
        // message without one.
        guard var answer = try? MMSMessage(decoding: octets), answer.type == .sendConf else {
          return .requestFailed(transactionID: id, .transient(.transient))
        }
        answer.transactionID = TextString(id)
        return MessageSending.Event(answer) ?? .requestFailed(transactionID: id, .transient(.transient))
      // An answer to something else: the outcome of the request is unknown.
      case (.sms, .mms): return .requestFailed(transactionID: id, .permanent(.unknownOutcome))
      case (.mms, .sms): return .requestFailed(transactionID: id, .transient(.transient))
      }
    } catch Failure.transient(let code) {
      return .requestFailed(transactionID: id, .transient(code))
    } catch Failure.permanent(let code) {
      return .requestFailed(transactionID: id, .permanent(code))
    } catch {
      if case .sms = message { return .requestFailed(transactionID: id, .permanent(.unknownOutcome)) }
      return .requestFailed(transactionID: id, .transient(.transient))
    }
  }

  private func fetch(_ job: OutboxJob) async throws {
    let store = store
    let failure: MessageRetrieval.FetchFailure
    do {
      let octets = try await octets(of: job)
      return try await storing { try store.take(octets, of: job) }
    } catch let error as MessageStore.Failure {
      throw error
    } catch Failure.permanent(let code) {
      failure = .permanent(code)
    } catch Failure.transient(let code) {
      failure = .transient(code)
    } catch {
      failure = .transient(.transient)
    }
    try await storing {
      try store.finish(job) { writer in
        if let id = job.message { try writer.handle(.fetchFailed(failure), of: id) }
      }
    }
  }

  /// Downloads a message, and stores the progress meanwhile.
  private func octets(of job: OutboxJob) async throws -> [UInt8] {
    let (reports, reporter) = AsyncStream.makeStream(
      of: (received: Int, total: Int?).self, bufferingPolicy: .bufferingNewest(1))
    async let stored: Void = storeProgress(reports, of: job)
    do {
      let octets = try await network.fetch(String(decoding: job.content, as: UTF8.self)) {
        reporter.yield(($0, $1))
      }
      reporter.finish()
      await stored
      return octets
    } catch {
      reporter.finish()
      await stored
      throw error
    }
  }

  /// Stores the progress of a download. It is shown and nothing more: what cannot be stored, for example on a full disk, is skipped.
  private func storeProgress(_ reports: AsyncStream<(received: Int, total: Int?)>, of job: OutboxJob) async {
    let store = store
    for await (received, total) in reports {
      try? await storing { try store.storeProgress(received, of: total, by: job) }
    }
  }

  private func answer(_ job: OutboxJob) async throws {
    let store = store
    do { _ = try await network.submit(.mms([UInt8](job.content))) } catch Failure.permanent {
      // The carrier does not want it.
    } catch {
      // The carrier repeats a notification that was never answered, so an answer need not be tried without end.
      if let delay = store.options.answers.delay(afterAttempts: job.attempts + 1) {
        return try await storing { try store.release(job, after: delay) }
      }
    }
    try await finish(job)
  }

  /// Stores an outcome, also if the task is cancelled: it is known now, and nobody knows it later.
  private func storing<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let threads = threads
    return try await Task { try await threads.run(body) }.value
  }

  private func finish(_ job: OutboxJob, _ event: MessageSending.Event? = nil) async throws {
    let store = store
    do { try await storing { try store.finish(job, with: event) } } catch {
      // It is known now, and an SMS must not be sent twice.
      store.leases.keep(.finished(event), of: job)
      throw error
    }
  }
}
