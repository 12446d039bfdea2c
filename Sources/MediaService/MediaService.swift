internal import FileSupport
internal import Logging
public import MediaEngine
internal import MediaLibrary
internal import MessageStore
internal import Metrics
public import ServiceLifecycle

/// The media service without a transport: what a server does with uploads, attachments, drafts and the tray.
///
/// One service owns a library, opened for writing, and uses one engine. Methods may be called from any task; none blocks a thread of Swift's pool,
/// and each fails with a ``ServiceError``.
public final class MediaService: Sendable {
  /// The settings of the service.
  public let configuration: Configuration
  /// Runs the decoders.
  let engine: MediaEngine
  /// Files, facts, renditions and drafts.
  let library: AsyncLibrary
  /// Uploads, rights and answers.
  let database: ServiceDatabase
  /// The bytes of unfinished uploads.
  let uploads: UploadStore
  /// Files that arrive in one request for a draft.
  let arrivals = Arrivals()
  /// Requests with an idempotency key that are being answered.
  let repetitions = RunningKeys()
  let logger: Logger
  /// The metrics of uploads.
  let report: UploadReport
  /// What the use cases of attachments keep in memory.
  let attachments: AttachmentState
  /// Reports changes to the event streams.
  let feed = TrayFeed()
  /// Threads and messages, one store per owner.
  let messageStores: MessageStores
  /// Images of files of messages that are being made.
  let messageImages = SingleFlight<MessageImageKey, Rendered>()
  /// Files of messages that the scanner could not look at lately.
  let unscannedParts = UnscannedParts()
  let unstoredVerdicts = UnstoredVerdicts()
  /// Cells of the tray that were encoded before.
  let cells = TrayCellCache()
  /// Work that the erasure of its owner ends.
  let work = OwnerWork()
  /// Owners who are being erased.
  let erasingOwners = ErasingOwners()
  /// Erasures whose end is not counted yet.
  let endings = PendingErasureCounts()
  /// Whether the engine's workers come up.
  let workers: WorkerProbe
  /// Daily tasks.
  let upkeep = Upkeep()
  /// Complete uploads take turns with the engine.
  let examinations: ExaminationScheduler
  /// Edits of one draft come one after the other.
  let draftTurns = DraftEditQueue()

  /// Opens the library, creating it if nothing of it exists, and the service's own database beside it.
  ///
  /// The engine stays the caller's: run it in the same `ServiceGroup`, before the service. Its configuration's trust domain should be
  /// `.isolated`; the service states the owner of each file in any case.
  /// - Throws: `LibraryError`, as `Library.open(at:for:options:)` does.
  public static func open(_ configuration: Configuration, engine: MediaEngine) async throws -> MediaService {
    let threads = BlockingThreads(limit: 1)
    var options = configuration.libraryOptions
    if let scanning = configuration.scanning, scanning.policy != .allow { options.showsOnlyClean = true }
    let library = try await threads.run { [options] in
      try Library.open(at: configuration.library, for: .creating, options: options)
    }
    let async = AsyncLibrary(library)
    let database = try await threads.run {
      try ServiceDatabase(
        path: configuration.library.data.appending("service.sqlite".utf8), reading: BlockingThreads(),
        writing: BlockingThreads(limit: 1))
    }
    let service = MediaService(configuration, engine: engine, library: async, database: database)
    if library.isWithoutItsCopy {
      service.logger.warning(
        "the library has a copy that this service was not given: pass it with --copy, or erased data stays in it",
        metadata: ["library": "\(configuration.library.data)"])
    }
    try await service.uploads.restore()
    try await service.endErasures()
    for failure in try await service.messageStores.sweep() {
      service.logger.error("erased messages were not removed", metadata: ["error": "\(failure)"])
    }
    return service
  }

  init(_ configuration: Configuration, engine: MediaEngine, library: AsyncLibrary, database: ServiceDatabase) {
    (self.configuration, self.engine, self.library, self.database) = (configuration, engine, library, database)
    let report = UploadReport(configuration.metrics ?? MetricsSystem.factory)
    self.report = report
    uploads = UploadStore(
      folder: configuration.library.data.appending("uploads".utf8), database: database,
      registry: UploadRegistry { report.open($0) })
    logger = configuration.logger
    let attachments = AttachmentState(configuration)
    self.attachments = attachments
    // One runs and one waits for each worker, so that none is idle between two.
    examinations = ExaminationScheduler(2 * engine.running)
    let (clock, feed, addresses) = (configuration.clock, feed, configuration.ownAddresses)
    messageStores = MessageStores(
      folder: configuration.library.data.appending("messages".utf8), limit: configuration.limits.openMessageStores
    ) { owner in
      var options = MessageStore.Options()
      options.now = { Double(clock()) }
      options.ownAddresses = addresses(owner)
      return options
    } onChange: { change, owner in
      if let change = TrayFeed.Change(change) { feed.publish(change, for: owner) }
    }
    database.cuts.onCut { files in attachments.stripped.remove(files) }
    workers = WorkerProbe(clock: configuration.clock) {
      _ = try await engine.probe(.bytes(Array("ready".utf8)), domain: .isolated)
    }
  }

  /// The present in whole seconds since 1970.
  func now() -> Int { configuration.clock() }

  /// Closes the database and the library; later calls fail.
  public func close() async throws {
    await messageStores.close()
    try database.close()
    try await library.close()
  }
}

/// A service as one of a `ServiceGroup`, after its engine and before the server that uses it.
extension MediaService: Service {
  /// Sweeps what has expired until the group shuts down, then closes the library.
  public func run() async throws {
    try? await cancelWhenGracefulShutdown {
      await self.buryLost()
      async let scans: Void = self.keepScanning()
      async let tasks: Void = self.keepUp()
      for minute in 0... {
        // What could not be done now is done a minute later.
        try? await self.sweepUploads()
        if minute % 5 == 4 { try? await self.sweepDrafts() }
        if minute % 60 == 59 { await self.sweepErasures() }
        try await Task.sleep(for: .seconds(60))
      }
      await scans
      await tasks
    }
    try await close()
  }
}
