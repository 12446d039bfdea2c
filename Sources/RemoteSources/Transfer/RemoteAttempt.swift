internal import Dispatch
internal import Foundation
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// A request for one part of a file, with its retries, redirects and signatures. Blocking.
struct RemoteAttempt {
  let client: RemoteClient
  let address: RemoteAddress
  let deadline: ContinuousClock.Instant
  let cancellation: Cancellation
  var operation = RemoteOperation()
  /// Sent with each request; not signed.
  var headers: [(name: String, value: String)] = []
  /// Whether status 416 for an empty file is a success.
  var acceptsEmpty = false
  /// Statuses of a success.
  var accepted: Set<Int> = [200, 206]

  /// How one request ended.
  private enum Outcome {
    case done(BodySink)
    case retry(RetryPolicy.Reason, MediaFailure, stated: String?)
    /// To be sent again at once: to another region, with another time or with other keys. The failure is that of a request for which this does not help.
    case again(MediaFailure)
  }

  /// Sends requests until one succeeds.
  /// - Parameters:
  ///   - makeSink: Makes the receiver of one response.
  ///   - plan: What the body of a response with status 200 or 206 is.
  ///   - spent: Called with each request and with the bytes of each response.
  func run(
    _ makeSink: () throws(MediaFailure) -> BodySink,
    plan: @escaping @Sendable (ResponseHead) throws(MediaFailure) -> RangePlan,
    spent: (_ requests: Int, _ bytes: Int) throws(MediaFailure) -> Void
  ) throws(MediaFailure) -> BodySink {
    var attempt = 1
    var corrections = 0
    var cost = 0
    while true {
      switch try once(attempt, makeSink, plan: plan, spent: spent) {
      case .done(let sink):
        client.tokens.withLock { $0.giveBack(cost) }
        return sink
      case .again(let failure):
        corrections += 1
        guard corrections <= 2 else { throw failure }
      case .retry(let reason, let failure, let stated):
        guard attempt < RetryPolicy.attempts, client.tokens.withLock({ $0.take(for: reason) }) else {
          throw failure
        }
        cost = RetryTokens.cost(of: reason)
        let delay = RetryPolicy.delay(after: attempt, reason, jitter: client.settings.jitter(), stated: stated)
        guard ContinuousClock.now.advanced(by: .milliseconds(Int64(1_000 * delay))) < deadline else { throw failure }
        let pause = ContinuousClock.now.advanced(by: .milliseconds(Int64(1_000 * delay)))
        if cancellation.wait(for: DispatchSemaphore(value: 0), until: pause) == .cancelled { throw .cancelled }
        attempt += 1
      }
    }
  }

  private func once(
    _ attempt: Int, _ makeSink: () throws(MediaFailure) -> BodySink,
    plan: @escaping @Sendable (ResponseHead) throws(MediaFailure) -> RangePlan,
    spent: (_ requests: Int, _ bytes: Int) throws(MediaFailure) -> Void
  ) throws(MediaFailure) -> Outcome {
    var route = try client.route(to: address, operation, until: deadline)
    for _ in 0...client.settings.maxRedirects {
      guard ContinuousClock.now < deadline else { throw .lateSource }
      let addresses = try client.allowed(route, until: deadline, cancellation: cancellation)
      try spent(1, 0)
      let request = TransportRequest(
        method: operation.method, address: route.address, ip: addresses[(attempt - 1) % addresses.count],
        headers: headers + route.headers, body: operation.body, isService: route.isService)
      let sink = try makeSink()
      let failure = send(request, into: sink, plan: plan)
      let received = sink.close()
      try spent(0, received.count)
      if let failure { return try outcome(of: failure) }
      guard let head = received.head else {
        return .retry(.transient, .unavailableSource(detail: "no response"), stated: nil)
      }
      if let plan = received.plan {
        guard plan.count.map({ $0 == received.taken }) ?? true else {
          return .retry(
            .transient, .badResponse(detail: "the server sent fewer bytes than it stated"), stated: nil)
        }
        if route.keys != nil { client.acceptSignature() }
        return .done(sink)
      }
      // A service names another region instead.
      if (300..<400).contains(head.status), !route.isService, let location = head.headers["location"] {
        route.address = try route.address.redirected(to: location)
        continue
      }
      return try outcome(of: head, received.bytes, route)
    }
    throw .badResponse(detail: "more than \(client.settings.maxRedirects) redirects")
  }

  /// Sends one request; why it failed, if it did.
  private func send(
    _ request: TransportRequest, into sink: BodySink,
    plan: @escaping @Sendable (ResponseHead) throws(MediaFailure) -> RangePlan
  ) -> TransportFailure? {
    let (acceptsEmpty, accepted) = (acceptsEmpty, accepted)
    do throws(TransportFailure) {
      try client.transport.send(request, until: deadline, cancellation: cancellation) { head in
        try sink.take(head: head) { (head) throws(MediaFailure) in
          // OpenStack Swift sends no Content-Range. A range from the first byte on is missing in an empty file only.
          let stated = head.headers["content-range"]
          let isEmpty = stated.map { ContentRange($0)?.total == 0 } ?? request.isService
          if acceptsEmpty, head.status == 416, isEmpty {
            return RangePlan(start: 0, count: 0, total: 0, etag: nil)
          }
          return accepted.contains(head.status) ? try plan(head) : nil
        }
      } body: { part in
        try sink.take(part)
      }
      return nil
    } catch {
      return error
    }
  }

  private func outcome(of failure: TransportFailure) throws(MediaFailure) -> Outcome {
    switch failure {
    case .stopped(let reason): throw reason
    case .deadline: throw .lateSource
    case .cancelled: throw .cancelled
    case .connection(let detail): .retry(.transient, .unavailableSource(detail: detail), stated: nil)
    }
  }

  /// The outcome of a response that has no part of the file.
  private func outcome(
    of head: ResponseHead, _ body: [UInt8], _ route: RemoteRoute
  ) throws(MediaFailure) -> Outcome {
    let error = ServiceError(body)
    let detail = "status \(head.status)\(error.code.map { ", \($0)" } ?? "")"
    if route.isService {
      if let region = head.headers["x-amz-bucket-region"] ?? error.region, ServiceError.isPlain(region),
        client.moved(address, to: region, from: route.region)
      {
        return .again(.badResponse(detail: "the service redirected the request to another region more than twice"))
      }
      if client.refusesKeys(error) {
        let isLate = error.code == "RequestTimeTooSkewed"
        let failure = isLate ? MediaFailure.refusedClock(detail: detail) : .refusedS3Keys(detail: detail)
        let isCorrected =
          isLate
          ? client.setClock(by: ServiceError.time(head.headers["date"])) : client.renewKeys(insteadOf: route.keys)
        if isCorrected { return .again(failure) }
        throw failure
      }
    }
    if let reason = RetryPolicy.reason(status: head.status, code: error.code) {
      return .retry(reason, .unavailableSource(detail: detail), stated: head.headers["x-amz-retry-after"])
    }
    switch head.status {
    case 404, 410: throw MediaFailure(.notFound, "The source does not exist.", detail: detail)
    case 401, 403:
      throw MediaFailure(
        .accessDenied, "The source's server denied access; check the credentials and their permissions.",
        detail: detail)
    case 412: throw .changedSource
    default: throw .badResponse(detail: detail)
    }
  }
}
