internal import FileSupport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import NIOCore
internal import NIOEmbedded
internal import TestSupport

@testable internal import MediaServer
@testable internal import MediaService

/// The routes of attachments over a service in a folder of its own, called without a connection.
final class RouteClient: Sendable {
  struct Answer {
    let status: Int
    let fields: HTTPFields
    let bytes: [UInt8]

    var json: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

    /// A value of an object.
    subscript(_ key: String) -> JSONValue? {
      guard case .object(let members) = json else { return nil }
      return members[key]
    }
  }

  static let now = 1_800_000_000
  let folder: TemporaryFolder
  let service: MediaService
  /// All routes.
  let routes: [(method: HTTPRequest.Method, path: String)]
  private let responder: RouterResponder<MediaServer.Context>

  init(change: (inout MediaService.Configuration) -> Void = { _ in }) async throws {
    folder = try TemporaryFolder()
    var configuration = MediaService.Configuration(
      library: LibraryLocation(data: PathBytes(folder.path("data")), cache: PathBytes(folder.path("cache"))))
    configuration.clock = { Self.now }
    configuration.signingKeys = SigningKeys([SigningKeys.Key(id: "k1", secret: Array(UInt8(0)..<32))])
    change(&configuration)
    var engine = MediaEngine.Configuration()
    engine.kind = .workers(count: 1)
    engine.worker = BuiltProduct.path("mediatool-worker")
    engine.spares = 0
    engine.domain = .isolated
    service = try await MediaService.open(configuration, engine: MediaEngine.start(engine))
    let router = Router(context: MediaServer.Context.self)
    router.addMediaRoutes(for: service)
    routes = router.routes.map { ($0.method, $0.path.description) }
    responder = router.buildResponder()
  }

  /// Keeps a file as an upload does.
  func add(
    _ fixture: String, owner: String = "alice", name: String? = nil, labels: [String: Bool] = [:]
  ) async throws -> FileID {
    try await add(path: Fixture.path(fixture), owner: owner, name: name, labels: labels)
  }

  func add(path: String, owner: String = "alice", name: String?, labels: [String: Bool] = [:]) async throws -> FileID {
    var request = MediaPreview.Request(renditions: [])
    request.probe.digest = true
    let preview = try await service.engine.preview(.path(path), request, domain: .owner(owner))
    let stamp = try await service.library.keepOriginal(at: PathBytes(path), owner: owner)
    let result = FileResult(
      info: preview.info, digest: preview.info.sha256.flatMap { ContentDigest(hexadecimal: $0) },
      engine: service.engine.version)
    let ids = try await service.library.catalogue.add([
      AddedFile(path: stamp.path, modified: Self.now, received: Self.now, result: result, owner: owner)
    ])
    guard let id = ids.first else { throw ServiceError.notFound }
    try await service.database.write { db in
      try AttachmentRecord.note(id, owner: owner, name: name, labels: labels, in: db)
    }
    return id
  }

  func send(
    _ method: HTTPRequest.Method = .get, _ path: String, as caller: Caller? = nil,
    _ fields: [HTTPField.Name: String] = [:], body: String = ""
  ) async throws -> Answer {
    var head = HTTPRequest(method: method, scheme: "http", authority: "evil.example", path: path)
    for (name, value) in fields { head.headerFields[name] = value }
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
    let source = ApplicationRequestContextSource(
      channel: EmbeddedChannel(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    var context = MediaServer.Context(source: source)
    context.caller = caller
    let response = try await responder.respond(to: request, context: context)
    let collector = Collector()
    try await response.body.write(Writer(collector: collector))
    return Answer(status: response.status.code, fields: response.headers, bytes: await collector.bytes)
  }

  private actor Collector {
    var bytes: [UInt8] = []
    func add(_ buffer: ByteBuffer) { bytes += buffer.readableBytesView }
  }

  private struct Writer: ResponseBodyWriter {
    let collector: Collector
    func write(_ buffer: ByteBuffer) async throws { await collector.add(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}

extension Caller {
  static let alice = Caller(owner: "alice")
  static let bob = Caller(owner: "bob")
  static let friend = Caller(owner: "bob", labels: ["g:42"])
}
