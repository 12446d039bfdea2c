internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle

@testable internal import MediaServer

/// Something that asks an application over HTTP.
protocol CallbackClient: Sendable {
  func shutdown() async throws
}

extension HTTPAccessPolicy: CallbackClient {}
extension HTTPReview: CallbackClient {}

/// An application that answers at `/ask` on a free port of 127.0.0.1.
enum CallbackApplication {
  /// Runs the application, and a client that asks it.
  /// - Parameter makeClient: Makes the client for a URL.
  static func run<Client: CallbackClient, Value: Sendable>(
    _ makeClient: (String) throws -> Client, _ answer: @escaping @Sendable (Request) async throws -> Response,
    _ body: (Client) async throws -> Value
  ) async throws -> Value {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let router = Router()
    for method in [HTTPRequest.Method.get, .post] {
      router.on("/ask", method: method) { request, _ in try await answer(request) }
    }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger)
    let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
    let running = Task { try await group.run() }
    var number = 0
    for await one in ports {
      number = one
      break
    }
    let client = try makeClient("http://127.0.0.1:\(number)/ask")
    let value: Result<Value, any Error>
    do { value = .success(try await body(client)) } catch { value = .failure(error) }
    try await client.shutdown()
    await group.triggerGracefulShutdown()
    try await running.value
    return try value.get()
  }
}
