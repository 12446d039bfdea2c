internal import FileSupport
internal import Logging
internal import MediaEngine
internal import MediaLibrary
internal import MediaServer
internal import MediaService
internal import RawHTTP
internal import ServiceLifecycle
internal import TestSupport

/// The whole server in this process, with a library of its own, on a free port of 127.0.0.1.
struct TestServer: Sendable {
  /// The port.
  let port: Int
  /// The service behind it.
  let service: MediaService
  /// The folder of the library.
  let folder: TemporaryFolder
  private let group: ServiceGroup
  private let running: Task<Void, any Error>

  /// The engine of all tests: two workers.
  private static let engine = Task {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 2)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    configuration.domain = .isolated
    configuration.spares = 0
    return try await MediaEngine.start(configuration)
  }

  /// Starts a server, runs the test, and stops the server.
  ///
  ///     try await TestServer.start { server in
  ///       let connection = try await RawConnection(port: server.port)
  ///       #expect(try await connection.request("GET", "/healthz").status == 200)
  ///     }
  /// - Parameters:
  ///   - folder: The library's folder, to start a second server on the same library; nil for a new one.
  ///   - configure: Changes the settings of the server; without keys everybody is the owner `me`.
  ///   - serving: Changes the settings of the service.
  static func start<Result>(
    in folder: TemporaryFolder? = nil,
    configure: (inout MediaServer.Configuration) -> Void = { _ in },
    serving: (inout MediaService.Configuration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let folder = try folder ?? TemporaryFolder()
    var serviceConfiguration = MediaService.Configuration(
      library: LibraryLocation(folder: PathBytes(folder.path("library"))))
    // The disk of a test machine may be small.
    serviceConfiguration.limits.freeBytes = 0
    serving(&serviceConfiguration)
    let service = try await MediaService.open(serviceConfiguration, engine: try await engine.value)
    var configuration = MediaServer.Configuration()
    configuration.port = 0
    // A busy test machine may take minutes for a step: a test that is about a deadline sets it.
    let never = 3_600.0
    (configuration.connections.headSeconds, configuration.connections.idleSeconds) = (never, never)
    (configuration.connections.bodyWindowSeconds, configuration.connections.writeWindowSeconds) = (never, never)
    configuration.connections.lingerSeconds = never
    configuration.drainSeconds = 0
    configure(&configuration)
    let (ports, listening) = AsyncStream<Int>.makeStream()
    let server = try MediaServer(service, configuration) { listening.yield($0) }
    let group = ServiceGroup(
      configuration: .init(
        services: [service, server],
        logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }))
    let running = Task.detached {
      defer { listening.finish() }
      try await group.run()
    }
    var iterator = ports.makeAsyncIterator()
    guard let port = await iterator.next() else {
      // It did not start: this throws why.
      try await running.value
      throw RawConnection.Failure.closed
    }
    let result: Swift.Result<Result, any Error>
    do {
      let server = TestServer(port: port, service: service, folder: folder, group: group, running: running)
      result = .success(try await body(server))
    } catch {
      result = .failure(error)
    }
    await group.triggerGracefulShutdown()
    do { try await running.value } catch is CancellationError {}
    return try result.get()
  }

  /// Ends the server without a graceful stop.
  func cancel() { running.cancel() }

  /// Begins a graceful stop, as SIGTERM does, and returns at once.
  func stop() async { await group.triggerGracefulShutdown() }

  /// A new connection.
  func connect(receiveBuffer: Int? = nil) async throws -> RawConnection {
    try await RawConnection(port: port, receiveBuffer: receiveBuffer)
  }

  /// One request on a connection of its own.
  func request(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> RawResponse {
    let connection = try await connect()
    defer { connection.close() }
    return try await connection.request(method, target, fields, body: body)
  }
}
