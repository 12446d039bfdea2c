internal import CEngineShims
internal import Foundation
internal import Glibc
internal import Logging
internal import MediaEngine
internal import MediaEngineService
internal import MediaLibrary
internal import MediaService
internal import Metrics
internal import ServiceLifecycle
internal import UnixSignals

/// The entry point of `mediatool serve`.
package enum ServeProgram {
  /// Reads the settings, serves until SIGTERM or SIGINT, and returns the exit status: 0 after a graceful stop, 64 for a mistake in the settings, 70
  /// if the server cannot run.
  /// - Parameter arguments: Those of the process.
  package static func run(_ arguments: [String]) async -> Int32 {
    // A file that would become larger than `ulimit -f` allows is then an error of write, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    mediatool_map_large_blocks()
    do throws(ServeFailure) {
      let settings = try await ServeSettings(
        arguments: Array(arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
      for warning in settings.warnings { say("warning: \(warning)") }
      if settings.isPrinting {
        print(settings.printed)
        return 0
      }
      try await serve(settings)
      return 0
    } catch {
      say(error.message)
      return error.status
    }
  }

  private static func serve(_ settings: ServeSettings) async throws(ServeFailure) {
    raiseFileLimit()
    let level = settings.logLevel
    LoggingSystem.bootstrap { LineLogHandler(label: $0, level: level) }
    let prometheus = PrometheusRegistry()
    MetricsSystem.bootstrap(prometheus)

    var (server, service, engine) = (settings.server, settings.service, settings.engine)
    server.logger = Logger(label: "mediatool.server")
    server.audit = Logger(label: "mediatool.audit")
    server.metrics = prometheus
    let freedMemory = MemoryTrimmer()
    server.onConnectionsHalved = { freedMemory.giveBackSoon() }
    service.metrics = prometheus
    service.logger = Logger(label: "mediatool.service")
    engine.logger = Logger(label: "mediatool.engine")
    let scheme = server.tls == nil ? "http" : "https"
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host

    let access = settings.access.flatMap { HTTPAccessPolicy(url: $0.url, token: $0.token) }
    service.accessPolicy = access
    let review = settings.review.map { HTTPReview(url: $0.url, token: $0.token) }
    if let review { service.review = { question in try await review.answer(question) } }
    do {
      do {
        let running = try await MediaEngine.start(engine)
        let media = try await MediaService.open(service, engine: running)
        let listener = try MediaServer(media, server) { port in say("listening on \(scheme)://\(host):\(port)") }
        let group = ServiceGroup(
          configuration: .init(
            services: [running, media, listener], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "mediatool.lifecycle")))
        try await group.run()
      } catch {
        try? await access?.shutdown()
        try? await review?.shutdown()
        throw error
      }
      try await access?.shutdown()
      try await review?.shutdown()
    } catch let failure as MediaEngine.StartFailure {
      throw .software(failure.description)
    } catch let failure as MediaServer.StartFailure {
      throw failure.kind == .settings ? .usage(failure.description) : .software(failure.description)
    } catch let error as LibraryError where [.noCopy, .otherCopy].contains(error.code) {
      throw .usage("library: \(error.sentence) Give the right folder with --copy, or add --adopt-copy.")
    } catch let error as LibraryError {
      throw .software("library: \(error.sentence)")
    } catch {
      throw .software("\(error)")
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data("mediatool: \(line)\n".utf8))
  }

  /// Each connection needs a descriptor, and the usual soft limit is 1,024.
  private static func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
