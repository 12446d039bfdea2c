internal import FileSupport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaEngine
internal import MediaLibrary
internal import NIOCore
internal import RawHTTP
internal import TestSupport

@testable internal import MediaServer
@testable internal import MediaService

/// The routes of uploads alone, on a free port of 127.0.0.1, without tokens and guards: the field `X-Owner` states who makes a request.
struct UploadServer: Sendable {
  let port: Int
  let service: MediaService
  let folder: TemporaryFolder

  /// The context of a request.
  struct Context: MediaRequestContext {
    var coreContext: CoreRequestContextStorage
    var caller: Caller?
    let channel: any Channel
    var sendsInterimResponses = false

    init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      channel = source.channel
    }
  }

  private struct Owners: RouterMiddleware {
    let interim: Bool

    func handle(
      _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
      var context = context
      let owner = HTTPField.Name("X-Owner").flatMap { request.headers[$0] } ?? "ada"
      context.caller = owner == "nobody" ? nil : Caller(owner: owner)
      context.sendsInterimResponses = interim
      return try await next(request, context)
    }
  }

  /// The engine of all tests.
  static let engine = Task {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 2)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    configuration.domain = .isolated
    configuration.spares = 0
    return try await MediaEngine.start(configuration)
  }

  /// Runs a test with a server.
  static func start(
    interim: Bool = true, in folder: TemporaryFolder? = nil,
    serving: (inout MediaService.Configuration) -> Void = { _ in }, _ body: (UploadServer) async throws -> Void
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    var configuration = MediaService.Configuration(
      library: LibraryLocation(folder: PathBytes(folder.path("library"))))
    // The disk of a test machine may be small.
    configuration.limits.freeBytes = 0
    serving(&configuration)
    let service = try await MediaService.open(configuration, engine: try await engine.value)
    let router = Router(context: Context.self)
    router.add(middleware: Owners(interim: interim))
    router.addMediaRoutes(for: service)
    let (ports, listening) = AsyncStream<Int>.makeStream()
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { listening.yield($0.localAddress?.port ?? 0) })
    let running = Task {
      defer { listening.finish() }
      try await application.run()
    }
    var iterator = ports.makeAsyncIterator()
    guard let port = await iterator.next() else { return try await running.value }
    let result: Result<Void, any Error>
    do {
      try await body(UploadServer(port: port, service: service, folder: folder))
      result = .success(())
    } catch {
      result = .failure(error)
    }
    running.cancel()
    _ = try? await running.value
    try await service.close()
    try result.get()
  }

  /// One request on a connection of its own.
  func request(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> RawResponse {
    try await RawConnection.request(port: port, method, target, fields, body: body)
  }

  /// One request of a tus client.
  func tus(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> RawResponse {
    var all = ["Tus-Resumable": "1.0.0"]
    if method == "PATCH" { all["Content-Type"] = "application/offset+octet-stream" }
    return try await request(method, target, all.merging(fields) { $1 }, body: body)
  }

  /// Creates a tus upload, and returns its address.
  func create(_ length: Int, _ fields: [String: String] = [:]) async throws -> String {
    let created = try await tus("POST", "/v1/uploads", ["Upload-Length": "\(length)"].merging(fields) { $1 }, body: [])
    return created["Location"] ?? "none: \(created.status) \(created.text)"
  }

  /// The names of part files.
  func parts() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("library/uploads"))
  }

  /// The bytes of an attachment's original.
  func original(_ id: String) async throws -> [UInt8]? {
    guard let number = Int64(id), let row = try await service.library.catalogue.file(FileID(rawValue: number)) else {
      return nil
    }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: row.stamp.path.description)))
  }

  static func photo() throws -> [UInt8] { try Fixture.bytes("camera-roll/IMG_0001.jpg") }

  static func text(_ bytes: Int) -> [UInt8] {
    (0..<bytes).map { $0 % 64 == 63 ? UInt8(ascii: "\n") : UInt8(ascii: "a") + UInt8($0 * $0 % 26) }
  }
}

extension RawResponse {
  /// The body as a JSON object.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }
}
