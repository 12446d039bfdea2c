internal import HTTPTypes
internal import MediaEngine
internal import Metrics

/// The metrics of a server. docs/security.md lists the names, on which dashboards depend. No label is taken from a request: routes are those of the
/// router, methods those of the interface.
final class ServerReport: Sendable {
  /// What a guard has cut.
  enum Cut: String, Sendable {
    /// A connection beyond the limit.
    case connection
    /// A handshake of TLS that took too long.
    case handshake
    /// A head that took too long, or an idle connection.
    case head
    /// A body that came too slowly.
    case body
    /// An answer that was read too slowly.
    case answer
  }

  private let factory: any MetricsFactory
  private let running: Meter
  private let hotAnswers: Counter
  private let instruments = Locked<[Key: Instruments]>([:])

  private struct Key: Hashable {
    var route: String
    var method: String
    var status: Int
  }

  private struct Instruments: Sendable {
    var count: Counter
    var time: Timer
  }

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    hotAnswers = Counter(label: "mediatool_hot_answers_total", dimensions: [], factory: factory)
    running = Meter(label: "mediatool_requests_in_progress", dimensions: [], factory: factory)
  }

  /// A guard has closed a connection.
  func cut(_ cut: Cut) {
    Counter(label: "mediatool_connections_cut_total", dimensions: [("reason", cut.rawValue)], factory: factory)
      .increment()
  }

  /// A request was answered from memory, on the event loop; the other metrics do not count it.
  func hot() { hotAnswers.increment() }

  /// A request has begun.
  func begin() { running.increment() }

  /// A request has been answered.
  /// - Parameter route: The path of the route in the router; nil if there is none.
  func end(route: String?, method: HTTPRequest.Method, status: Int, nanoseconds: Int64) {
    running.decrement()
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    let key = Key(
      route: route ?? "none", method: known.contains(method.rawValue) ? method.rawValue : "other", status: status)
    let found = instruments.withLock { instruments in
      if let found = instruments[key] { return found }
      let made = Instruments(
        count: Counter(
          label: "mediatool_requests_total",
          dimensions: [("route", key.route), ("method", key.method), ("status", "\(status)")], factory: factory),
        time: Timer(
          label: "mediatool_request_duration_seconds", dimensions: [("route", key.route), ("method", key.method)],
          preferredDisplayUnit: .seconds, factory: factory))
      instruments[key] = made
      return made
    }
    found.count.increment()
    found.time.recordNanoseconds(nanoseconds)
  }

  /// A request was refused before its route.
  func refused(_ reason: String) {
    Counter(label: "mediatool_requests_refused_total", dimensions: [("reason", reason)], factory: factory).increment()
  }
}
