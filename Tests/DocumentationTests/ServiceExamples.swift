import FileSupport
import Hummingbird
import Logging
import MediaEngine
import MediaEngineService
import MediaLibrary
import MediaServer
import MediaService
import NIOCore
import ServiceLifecycle
import Testing
import UnixSignals

struct AppContext: MediaRequestContext {
  var coreContext: CoreRequestContextStorage
  var caller: Caller?
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

struct SessionMiddleware: RouterMiddleware {
  let userOfSession: @Sendable (String) async -> String?

  func handle(
    _ request: Request, context: AppContext, next: @concurrent (Request, AppContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    if let session = request.cookies["session"]?.value, let user = await userOfSession(session) {
      context.caller = Caller(owner: user)
    }
    return try await next(request, context)
  }
}

/// Examples that listen until they are stopped: compiled, not run.
enum ServiceExamples {
  static func opening(engine: MediaEngine) async throws -> Bool {
    let service = try await MediaService.open(
      MediaService.Configuration(library: LibraryLocation(folder: PathBytes("/srv/media"))), engine: engine)
    let ready = await service.unreadyReasons().isEmpty
    return ready
  }

  static func embedding(
    engine: MediaEngine, service: MediaService, userOfSession: @escaping @Sendable (String) async -> String?
  ) async throws {
    let router = Router(context: AppContext.self)
    router.add(middleware: SessionMiddleware(userOfSession: userOfSession))
    router.addMediaRoutes(for: service)
    let app = Application(router: router, services: [engine, service])
    try await app.runService()
  }

  static func serving(secret: [UInt8]) async throws {
    var engineSettings = MediaEngine.Configuration()
    engineSettings.domain = .isolated
    let engine = try await MediaEngine.start(engineSettings)
    let library = LibraryLocation(folder: PathBytes("/srv/media"))
    let service = try await MediaService.open(MediaService.Configuration(library: library), engine: engine)

    var settings = MediaServer.Configuration()
    settings.keys = try KeyFile(tokens: [.hs256(kid: "2026-11", secret: secret)])
    let server = try MediaServer(service, settings)

    let group = ServiceGroup(
      configuration: .init(
        services: [engine, service, server], gracefulShutdownSignals: [.sigterm, .sigint],
        logger: Logger(label: "media")))
    try await group.run()
  }
}
