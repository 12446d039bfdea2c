internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import Logging
internal import MediaEngine
public import MediaService
internal import Metrics
public import ServiceLifecycle
internal import Tracing

/// The media service over HTTP: listener, guards of connections, tokens, limits and the routes below `/v1`.
///
/// A `Service` of swift-service-lifecycle: put it behind the engine and the `MediaService` that it uses. An app with a Hummingbird server of its
/// own adds the routes to that instead (`addMediaRoutes(for:)`), and makes callers itself.
public struct MediaServer: Service {
  /// The settings.
  public let configuration: Configuration
  private let service: MediaService
  private let onListening: @Sendable (Int) async -> Void
  private let readiness = Readiness()
  private let hot: HotRenditions
  private let certificate: CertificateStore?
  private let keys: KeyStore?

  /// A server for a service.
  /// - Parameters:
  ///   - onListening: Called once with the port when connections are accepted.
  /// - Throws: ``StartFailure`` if the address is not loopback and there are no keys, or if the certificate cannot be used, or if draining
  ///   leaves no time for requests.
  public init(
    _ service: MediaService, _ configuration: Configuration = Configuration(),
    onListening: @escaping @Sendable (Int) async -> Void = { _ in }
  ) throws(StartFailure) {
    guard configuration.keys != nil || Self.isLoopback(configuration.host) else {
      throw .settings(
        "\(configuration.host) is not a loopback address, and there are no keys: everybody on the network could read and erase all files. "
          + "Set keys (--keys FILE), or listen on 127.0.0.1.")
    }
    guard configuration.keys != nil || !configuration.origins.contains("*") else {
      throw .settings(
        "The origin '*' needs keys (--keys FILE): without them, any web page could read all files.")
    }
    if let drain = configuration.drainSeconds, drain > 0, drain >= configuration.shutdownSeconds {
      throw .settings(
        "--drain-seconds is \(drain) s and must be less than --shutdown-seconds (\(configuration.shutdownSeconds) s), or no time is left to finish requests."
      )
    }
    (self.service, self.configuration, self.onListening) = (service, configuration, onListening)
    if let files = configuration.tls { certificate = try CertificateStore(files) } else { certificate = nil }
    let clock = service.configuration.clock
    keys = configuration.keys.map { KeyStore($0, file: configuration.keysFile, now: clock) }
    let hot = HotRenditions(
      maxBytes: configuration.hotBytes, added: configuration.origins.isEmpty ? [:] : [.vary: "Origin"])
    self.hot = hot
    service.onAddressesCut { hot.cut($0) }
  }

  /// Whether only this machine reaches an address.
  static func isLoopback(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "::1"].contains(host.lowercased())
  }

  /// Accepts connections until the group shuts down or the task is cancelled.
  ///
  /// On a graceful shutdown `/readyz` says 503 at once; after ``Configuration/drainSeconds`` the listener closes, requests end, and streams of events
  /// end themselves. What is left after ``Configuration/shutdownSeconds`` is closed.
  /// - Throws: ``StartFailure`` if it cannot listen on the address.
  public func run() async throws {
    let hasListened = Locked(false)
    do { try await serve { hasListened.withLock { $0 = true } } } catch {
      if error is CancellationError || hasListened.withLock({ $0 }) { throw error }
      throw StartFailure.listening(on: configuration.host, configuration.port, error)
    }
  }

  private func serve(onListening: @escaping @Sendable () -> Void) async throws {
    let registry = ConnectionRegistry(
      limit: configuration.connections.count, onHalved: configuration.onConnectionsHalved)
    let report = ServerReport(configuration.metrics ?? MetricsSystem.factory)
    let application = await application(registry, report, onListening)
    var settings = ServiceGroupConfiguration(services: [application], logger: configuration.logger)
    // The connections are closed first; a handler that still works is cancelled then.
    settings.maximumGracefulShutdownDuration = .seconds(configuration.shutdownSeconds + 1)
    let group = ServiceGroup(configuration: settings)
    // Apart from the task, whose graceful shutdown would close the listener at once.
    let running = Task.detached { try await group.run() }
    let refreshing = Task.detached { [self] in
      while true {
        try await Task.sleep(for: .seconds(10))
        await refresh()
      }
    }
    defer {
      refreshing.cancel()
      hot.uses.log(to: configuration.audit)
    }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await running.value
      } onGracefulShutdown: {
        stop(group, registry)
      }
    } onCancel: {
      running.cancel()
      registry.closeAll()
    }
  }

  /// Reads files that have changed again, and writes what was counted for the audit log.
  private func refresh() async {
    hot.uses.log(to: configuration.audit)
    _ = certificate?.refresh(logger: configuration.logger)
    guard let replacement = await keys?.refresh(logger: configuration.logger) else { return }
    service.replaceSigningKeys(replacement.signingKeys)
    // Verified under a key that may be gone.
    hot.cut(nil)
    configuration.logger.notice("the keys were replaced")
  }

  private func stop(_ group: ServiceGroup, _ registry: ConnectionRegistry) {
    readiness.drain()
    let drain = configuration.drainTime
    let end = max(0, configuration.shutdownSeconds - drain)
    if drain > 0 {
      configuration.logger.notice("draining: /readyz answers 503", metadata: ["seconds": "\(drain)"])
    }
    Task.detached {
      try? await Task.sleep(for: .seconds(drain))
      await group.triggerGracefulShutdown()
      try? await Task.sleep(for: .seconds(end))
      registry.closeAll()
    }
  }

  private func application(
    _ registry: ConnectionRegistry, _ report: ServerReport, _ hasListened: @escaping @Sendable () -> Void
  ) async -> some ApplicationProtocol {
    let router = await router(report)
    return Application(
      router: router, server: builder(registry, report),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port), backlog: 1_024),
      onServerRunning: { [onListening] channel in
        hasListened()
        await onListening(channel.localAddress?.port ?? 0)
      },
      logger: configuration.logger)
  }

  /// The routes with all that surrounds them, from the outside to the inside.
  func router(_ report: ServerReport) async -> Router<Context> {
    let router = Router(context: Context.self, options: [.autoGenerateHeadEndpoints])
    let table = RouteTable()
    let audit = AuditLog(logger: configuration.audit)
    router.add(middleware: RequestIdentityMiddleware(sendsInterimResponses: sendsInterimResponses))
    router.add(middleware: TracingMiddleware(tracer: service.tracer))
    router.add(middleware: OriginMiddleware(origins: configuration.origins))
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: ReportMiddleware(report: report))
    if let hosts {
      router.add(middleware: HostMiddleware(hosts: hosts, origins: configuration.origins, audit: audit))
    }
    let limits = configuration.requests
    let failures = FailureLimit(
      limiter: RateLimiter(rate: limits.failureRate, burst: limits.failureBurst),
      proxies: configuration.trustedProxies, report: report)
    router.add(middleware: AuthenticationMiddleware(mode: mode, audit: audit, failures: failures))
    router.add(middleware: AuditMiddleware(audit: audit))
    router.add(middleware: FailureLimitMiddleware(limit: failures))
    router.add(
      middleware: RateLimitMiddleware(limiter: RateLimiter(rate: limits.rate, burst: limits.burst), report: report))
    router.add(middleware: AdmissionMiddleware(limits, report: report))
    router.add(middleware: ContinueMiddleware())
    router.add(middleware: MethodMiddleware(routes: table))
    HealthRoutes(service: service, readiness: readiness, prometheus: prometheus).add(to: router)
    PageRoutes().add(to: router)
    OpenAPIRoutes().add(to: router)
    let addresses = AddressLimit(
      limiter: RateLimiter(rate: limits.addressRate, burst: limits.addressBurst), report: report)
    router.addMediaRoutes(for: service, hot: hot, addresses: addresses)
    configuration.addRoutes(router)
    table.fill(from: router)
    return router
  }

  /// The names that `Host` may have; nil for any.
  private var hosts: Set<String>? {
    guard configuration.keys == nil || !configuration.hosts.isEmpty else { return nil }
    return configuration.hosts.union(HostMiddleware<Context>.loopback)
  }

  private var mode: AuthenticationMiddleware<Context>.Mode {
    if let keys { return .tokens(keys) }
    return .single(owner: configuration.owner)
  }

  private var sendsInterimResponses: Bool {
    switch configuration.interimResponses {
    case .auto: configuration.tls != nil
    case .on: true
    case .off: false
    }
  }

  /// `/metrics` exists where the metrics are ours to write.
  private var prometheus: PrometheusRegistry? {
    (configuration.metrics ?? MetricsSystem.factory) as? PrometheusRegistry
  }

  private func builder(_ registry: ConnectionRegistry, _ report: ServerReport) -> HTTPServerBuilder {
    let limits = configuration.connections
    let tracer: (any Tracer)? = service.tracer is NoOpTracer ? nil : service.tracer
    let hotAnswers: @Sendable () -> HotAnswerHandler = { [hot, hosts, clock = service.configuration.clock] in
      HotAnswerHandler(hot, hosts: hosts, report: report, tracer: tracer, now: clock)
    }
    return HTTPServerBuilder { [certificate] responder in
      let http1 = HTTP1Channel(
        responder: responder,
        configuration: HTTP1Channel.Configuration(limits, isStream: false, report: report, hot: hotAnswers))
      guard let certificate else {
        return LimitedChannel(base: http1, limits: limits, registry: registry, report: report, isEncrypted: false)
      }
      var settings = HTTP2ChannelConfiguration(
        idleTimeout: .seconds(limits.idleSeconds), gracefulCloseTimeout: .seconds(5),
        streamConfiguration: HTTP1Channel.Configuration(limits, isStream: true, report: report, hot: hotAnswers))
      // The initialiser of 2.28.1 drops this one.
      settings.maxAgeTimeout = .seconds(3_600)
      let tls = TLSUpgradeChannel(
        certificate: certificate, http1: http1, http2: HTTP2Channel(responder: responder, configuration: settings),
        limits: limits, report: report)
      return LimitedChannel(base: tls, limits: limits, registry: registry, report: report, isEncrypted: true)
    }
  }
}
