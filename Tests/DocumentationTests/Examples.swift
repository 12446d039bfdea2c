import AttachmentPolicy
import FileSupport
import Foundation
import LibraryScanner
import Logging
import MMSCodec
import MediaEngine
import MediaEngineInProcess
import MediaEngineService
import MediaLibrary
import MediaModel
import MediaProbe
import MessageFitting
import Messaging
import PhotoTray
import ServiceLifecycle
import TestSupport
import Testing
import Thumbnails
import Transcoding
import UnixSignals

/// The examples of the documentation, compiled and run; the imports are plain, as in a reader's own file. `PagesTests` holds the
/// pages to these lines, so that neither can be changed alone.
@Suite struct Examples {
  /// A PNG of 8 × 8 pixels, the left half red, the right half blue: IHDR, IDAT, IEND and nothing else.
  private static let image =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR42mP4z8AAR0jM/wxDSwIA6TA/wcg4RrMAAAAASUVORK5CYII="

  private func withImage(_ body: (_ path: String, _ folder: URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.image)))
    try body(folder.write(bytes, to: "in/picture.png"), folder.url)
  }

  @Test(arguments: [
    (
      #"{"kind":"image","type":"image/jpeg","bytes":9,"width":4000,"height":3000}"#,
      PixelRect(x: 500, y: 0, width: 3_000, height: 3_000)
    ),
    (#"{"kind":"image","type":"image/jpeg","bytes":9,"error":{"code":"corrupt","message":"?"}}"#, nil),
  ])
  func readingALineOfTheCommand(json: String, crop: PixelRect?) throws {
    let line = Data(json.utf8)
    var requests: [RenditionRequest] = []

    let info = try JSONDecoder().decode(MediaInfo.self, from: line)
    if let size = info.displaySize {
      let side = min(size.width, size.height)
      var request = RenditionRequest(name: "square", box: PixelSize(width: 512, height: 512))
      request.crop = PixelRect(x: (size.width - side) / 2, y: (size.height - side) / 2, width: side, height: side)
      request.encoding = .maxBytes(60_000)
      requests.append(request)
    } else if let failure = info.error {
      print("no image: \(failure.message)")
    }

    #expect(requests.first?.crop == crop)
  }

  @Test func findingFacts() throws {
    try withImage { path, _ in
      let prober = MediaProber()
      let info = prober.facts(ofFile: path)
      if let size = info.displaySize {
        print("\(info.type), \(size.width) × \(size.height), \(info.bytes) bytes")
      }
      if let taken = info.takenAt {
        print("taken at \(taken), says \(info.takenAtSource?.rawValue ?? "nobody")")
      }
      if let mismatch = info.mismatch {
        print("called \(mismatch.declared), but it is \(info.type)")
      }
      if let failure = info.error {
        print("\(path): \(failure.message)")
      }

      #expect(info.type == .png)
      #expect(info.bytes == Data(base64Encoded: Self.image)?.count)
    }
  }

  @Test func makingAVideoFit() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.url
    let path = temporary.path("video.mp4")
    _ = try Tool("ffmpeg", package: "ffmpeg").output([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15:duration=1", "-pix_fmt", "yuv420p", path,
    ])

    let input = try MediaInput(path: path)
    let info = MediaProber().facts(of: input, claim: .fileName(path))
    var request = TranscodeRequest(format: .mp4(.level13), maxBytes: 280_000)
    request.box = PixelSize(width: 640, height: 480)
    let result = Transcoder().transcode(input, info: info, request)
    if let file = result.file {
      try Data(file.data).write(to: folder.appendingPathComponent("small.mp4"), options: .atomic)
      print("\(file.duration) s, \(file.width ?? 0) × \(file.height ?? 0), \(file.data.count) bytes")
    } else if let seconds = result.fittingDuration {
      print("only \(seconds) s of it would fit")
    } else if let failure = result.error {
      print("\(path): \(failure.message)")
    }

    #expect(result.file.map { $0.data.count <= 280_000 } == true)
  }

  @Test func makingSmallImages() throws {
    try withImage { path, folder in
      let input = try MediaInput(path: path)
      let info = MediaProber().facts(of: input, claim: .fileName(path))
      var square = RenditionRequest(name: "square", box: PixelSize(width: 96, height: 96), fit: .cover(.attention))
      square.format = .jpeg
      let requests = [square] + ["grid", "message"].compactMap(RenditionRequest.named)
      let result = Thumbnailer().render(input, info: info, requests: requests)
      for rendition in result.renditions {
        let name = "\(rendition.name).\(rendition.type.preferredExtension ?? "bin")"
        try Data(rendition.data).write(to: folder.appendingPathComponent(name), options: .atomic)
      }
      if let failure = result.error {
        print("\(path): \(failure.message)")
      }

      #expect(requests.map(\.name) == ["square", "grid", "message"])
      #expect(result.renditions.count == 3)
      #expect(result.error == nil)
      for rendition in result.renditions {
        let file = folder.appendingPathComponent(rendition.name + (rendition.type == .jpeg ? ".jpg" : ".webp"))
        #expect(try Data(contentsOf: file) == Data(rendition.data))
      }
    }
  }

  private var photo: MediaInfo {
    var info = MediaInfo(type: .jpeg, bytes: 2_000_000)
    (info.width, info.height) = (4_000, 3_000)
    return info
  }

  @Test func judgingASelection() {
    let found = [(name: "a.jpg", info: photo), (name: "empty.jpg", info: MediaInfo(type: .jpeg, bytes: 0))]
    var draft = AttachmentDraft(text: "look")

    let rules = AttachmentRules.Preset.photoTray.rules
    let selection = found.map { MediaAttachment(id: MediaAttachment.ID($0.name), name: $0.name, info: $0.info) }
    let verdict = rules.verdict(for: selection, given: draft)
    for file in verdict.files where !file.accepted {
      print(file.id, file.reasons.map(\.code.rawValue))
    }
    for event in draft.add(selection, under: rules) {
      if case .added(let id, let place) = event { print("\(id) is number \(place + 1)") }
    }
    print(draft.canSend(under: rules) ? "ready" : "not yet: \(draft.sendBlockers(under: rules))")

    #expect(verdict.files.map(\.accepted) == [true, false])
    #expect(draft.items.map(\.id) == ["a.jpg"])
    #expect(!draft.canSend(under: rules))
  }

  private struct Album: PhotoSource {
    let items: [Tray.Item]
    func newest(_ count: Int) -> [Tray.Item] { Array(items.prefix(count)) }
    func missing(among assets: [AssetID]) -> Set<AssetID> { Set(assets).subtracting(items.map(\.id)) }
  }

  @Test func openingATray() {
    let library = Album(items: [3, 2, 1].map { Tray.Item(id: AssetID("IMG_000\($0)"), time: $0, info: photo) })

    var tray = Tray(access: .full, rules: AttachmentRules.Preset.photoTray.rules)
    _ = tray.load(from: library)
    for event in tray.select("IMG_0002") {
      if case .draft(.refused(_, let reasons)) = event { print("not this one: \(reasons)") }
    }
    _ = tray.apply(Tray.LibraryChange(removed: ["IMG_0001"]), from: library)
    if case .grid(let grid) = tray.state {
      for cell in grid.cells {
        print(cell.selected.map(String.init) ?? "-", cell.id, cell.isEnabled)
      }
    }

    #expect(tray.items.map(\.id) == ["IMG_0003", "IMG_0002"])
    #expect(tray.draft.index(of: "IMG_0002" as AssetID) == 0)
  }

  @Test func keepingALibrary() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path("library")
    var info = MediaInfo(type: .jpeg, bytes: 5)
    (info.latitude, info.longitude) = (48.2, 16.37)
    let stamp = FileStamp(
      path: PathBytes("/photos/lake.jpg"), device: 1, inode: 2, size: 5, modified: 1_000_000_000, changed: 1_000_000_000
    )
    let rendition = Rendition(name: "grid", type: .webp, width: 256, height: 256, from: .image, data: [1, 2, 3])

    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder)), for: .creating)
    let stored = StoredRendition(rendition, address: try library.store.put(rendition.data))
    let result = FileResult(info: info, renditions: [stored], engine: "prober 1", recipe: "grid")
    try library.scanIndex.apply([.done(stamp, result)])

    let newest = try library.catalogue.newest(.photosAndVideos, after: nil, limit: 50)
    for file in newest.files {
      let small = try library.catalogue.renditions(of: file.id).first { $0.name == "grid" }?.digest
      print(file.stamp.path, file.time, small.flatMap(library.store.path) ?? "no image")
    }
    let map = try library.catalogue.locations(in: .world, zoom: 3, of: .all)
    for cluster in map.clusters { print(cluster.count, cluster.anchor.latitude, cluster.anchor.longitude) }

    let problems = try library.verify()
    let erased = try library.erase(.file(newest.files[0].id))

    #expect(newest.files.map(\.time) == [1])
    #expect(map.clusters.map(\.count) == [1])
    #expect(problems.isIntact)
    #expect(problems.checked == 1)
    #expect(erased.files == 1)
    #expect(erased.renditions == 1)
    #expect(erased.isWiped)
  }

  @Test func askingALibraryInATask() async throws {
    let temporary = try TemporaryFolder()
    let library = try Library.open(
      at: LibraryLocation(folder: PathBytes(temporary.path("library"))), for: .creating)
    let (path, now) = (PathBytes("/uploads/lake.jpg"), 1_800_000_000)
    let result = FileResult(info: MediaInfo(type: .jpeg, bytes: 5), engine: "prober 1")

    let server = AsyncLibrary(library, reading: BlockingThreads(limit: 4, maxWaiting: 256))
    let upload = AddedFile(path: path, modified: now, received: now, result: result, owner: "ann")
    let ids = try await server.catalogue.add([upload])

    let scope = CatalogueScope(owner: "ann", kinds: [.image, .video])
    let newest = try await server.catalogue.newest(scope, after: nil, limit: 50)
    let bytes = try await server.catalogue.counts(in: .owner("ann")).reduce(0) { $0 + $1.bytes }
    let status: Int
    do {
      try await server.catalogue.setText(of: ids[0], title: "Lake", caption: nil)
      status = 204
    } catch let error as LibraryError where error.code == .busy {
      status = 503
    }

    #expect(status == 204)
    #expect(newest.files.map(\.id) == ids)
    #expect(bytes == 5)
  }

  @Test func keepingADraft() throws {
    try withImage { image, url in
      let folder = url.appendingPathComponent("drafts").path
      let now = Int(Date.now.timeIntervalSince1970)
      let draft = AttachmentDraft(text: "hello")

      let store = DraftStore(folder: folder)
      try store.keepFile(at: image, of: "photo", for: .thread("family"))
      try store.save(draft, for: .thread("family"))

      let again = try DraftStore(folder: folder).load(.thread("family"))
      let kept = store.file(of: "photo", for: .thread("family"))
      try store.sweep(before: now - 30 * 86_400)

      #expect(again == draft)
      #expect(
        try kept.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
          == Data(contentsOf: URL(fileURLWithPath: image)))
    }
  }

  @Test func composingAndSendingAMessage() throws {
    let photo = MediaAttachment(id: "photo", name: "a.png", info: MediaInfo(type: .png, bytes: 77))
    #expect(try Self.compose(photo, bytes: [UInt8](repeating: 0, count: 77), now: 1_800_000_000) == [])
  }

  private static func compose(_ photo: MediaAttachment, bytes: [UInt8], now: Double) throws -> [String] {
    let profile = CarrierProfile.preset("mms-600k") ?? CarrierProfile()
    var message = MessageComposition(recipients: [MessageRecipient("+15551234567")])
    for event in message.setText("Look: mzl.la", under: profile) + message.attach([photo], under: profile) {
      if let seconds = event.noticeSeconds { print("\(event), for \(seconds) s") }
    }
    for module in message.modules() { print(module.label) }
    guard message.canSend(under: profile) else { return message.blockers(under: profile).map(\.code) }

    var sending = MessageSending(message, id: "message-1", under: profile, settings: MessageSettings())
    for effect in sending.handle(.send(NetworkConditions()), at: now) {
      guard case .submit(let request) = effect else { continue }
      let options = SendRequestOptions(request, date: Int(now))
      let octets = try message.sendRequest(options) { _ in bytes }.encoded()
      print("POST of \(octets.count) octets, \(message.bytes(under: profile)) were projected")
    }
    #expect(sending.state == .sending)
    #expect(message.links().flatMap(\.self).count == 1)
    return []
  }

  @Test func retrievingAMessage() {
    var pushed = MMSMessage(.notificationInd, transactionID: "N")
    pushed[.contentLocation] = "http://mmsc.example/1"
    let answers = Self.retrieve(pushed, fetched: MMSMessage(.retrieveConf, transactionID: "R"), now: 0)
    #expect(answers.map(\.type) == [.notifyRespInd, .acknowledgeInd])
  }

  private static func retrieve(_ pushed: MMSMessage, fetched: MMSMessage, now: Double) -> [MMSMessage] {
    guard let notification = MessageRetrieval.Notification(pushed, receivedAt: now),
      var (retrieval, effects) = MessageRetrieval.arrived(
        notification, settings: MessageSettings(), conditions: NetworkConditions(), at: now)
    else { return [] }
    effects += retrieval.handle(.start(NetworkConditions()), at: now + 60)
    effects += retrieval.handle(MessageRetrieval.Event(fetched), at: now + 65)
    let answers = effects.compactMap { $0.message() }
    return answers
  }

  @Test func readingAMessageAndAnswering() throws {
    var made = MMSMessage(.retrieveConf, transactionID: "T9")
    made[.subject] = "é"
    made.content = try MMSMessage.Content(presenting: [MessageSlides.Slide(media: nil, text: "hi", index: 0)])
    let octets = try made.encoded()

    let message = try MMSMessage(decoding: octets)
    print(message.type.name, message.subjectText ?? "no subject")
    if message[.retrieveStatus]?.outcome ?? .ok == .ok {
      for slide in MessageSlides(of: message).slides {
        if let media = slide.media { print(media.contentType.mediaType, media.content.count) }
        if let text = slide.text { print(text.text) }
      }
    }
    var answer = MMSMessage(.acknowledgeInd, transactionID: message.transactionID)
    answer[.reportAllowed] = true
    let reply = try answer.encoded()

    #expect(message.subjectText == "é")
    #expect(MessageSlides(of: message).slides.map { $0.text?.text } == ["hi"])
    #expect(reply == [0x8C, 0x85, 0x98, 0x54, 0x39, 0x00, 0x8D, 0x93, 0x91, 0x80])
  }

  @Test func showingAMessage() throws {
    var message = MMSMessage(.retrieveConf)
    message.content = try MMSMessage.Content(presenting: [MessageSlides.Slide(media: nil, text: "see a.de", index: 0)])

    for module in MessageModule.modules(of: message.moduleContent { part in MessageModule.File(part) }) {
      print(module.kind, module.state, module.label)
      for link in module.links ?? [] { print(link.uri) }
    }

    #expect(MessageModule.modules(of: message.moduleContent()).first?.links?.first?.uri == "http://a.de")
  }

  @Test func writingAMessage() throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    let photo = MMSMessage.Part(type: .jpeg, name: "lake.jpg", body: jpeg)
    var request = MMSMessage(.sendReq, transactionID: "T1")
    request[.from] = .insertAddress
    request[all: .to] = [EncodedString(MMSAddress("+12065550100", kind: .phone)), "jane@example.org"]
    request[.subject] = "The lake"
    request.content = try MMSMessage.Content(presenting: [
      MessageSlides.Slide(media: photo, text: "This morning", index: 0)
    ])
    let pdu = try request.encoded()

    #expect(try MMSMessage(decoding: pdu) == request)
    #expect(request.missingFields == [])
  }

  @Test func askingAnEngine() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let temporary = try TemporaryFolder()
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.image)))
    let (path, folder) = (try temporary.write(bytes, to: "in/picture.png"), temporary.url)

    let engine = try await MediaEngine.start(configuration)
    let request = PreviewRequest(renditions: ["grid", "message"].compactMap(RenditionRequest.named))
    do {
      let preview = try await engine.preview(.path(path), claim: .fileName(path), request)
      if let failure = preview.thumbnails.error ?? preview.info.error {
        print("\(path): \(failure.message)")
      }
      for rendition in preview.thumbnails.renditions {
        try Data(rendition.data).write(to: folder.appendingPathComponent("\(rendition.name).webp"), options: .atomic)
      }
    } catch let failure as MediaFailure where failure.code == .busy {
      print("Come back in a moment.")
    }

    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(written) == ["in", "grid.webp", "message.webp"])
    await engine.shutdown()
  }

  @Test func aServerPassesTheOwnerAsTheDomain() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let upload = [UInt8](try #require(Data(base64Encoded: Self.image)))
    let (account, name) = ("ada", "picture.png")

    configuration.domain = .isolated
    configuration.spares = 2
    let engine = try await MediaEngine.start(configuration)
    let request = PreviewRequest(renditions: ["grid"].compactMap(RenditionRequest.named))
    let preview = try await engine.preview(.bytes(upload), claim: .fileName(name), request, domain: .owner(account))

    #expect(preview.thumbnails.renditions.map(\.name) == ["grid"])
    await engine.shutdown()
  }

  @Test func decodingInProcess() async throws {
    let temporary = try TemporaryFolder()
    let path = try temporary.write([UInt8](try #require(Data(base64Encoded: Self.image))), to: "in/picture.png")

    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess(threads: 2)
    let engine = try await MediaEngine.start(configuration)
    let info = try await engine.probe(.path(path))
    print(info.type, info.width ?? 0, info.height ?? 0)
    await engine.shutdown()

    #expect(info.width == 8)
  }

  @Test func anEngineAmongTheServicesOfAServer() async throws {
    /// Uses the engine, then runs until it is shut down.
    struct Server: Service {
      let engine: MediaEngine
      let kinds: AsyncStream<MediaKind>.Continuation

      func run() async throws {
        kinds.yield(try await engine.probe(.bytes(Array("BEGIN:VCARD\r\n".utf8))).kind)
        try await gracefulShutdown()
      }
    }

    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let (kinds, continuation) = AsyncStream.makeStream(of: MediaKind.self)

    let engine = try await MediaEngine.start(configuration)
    let server = Server(engine: engine, kinds: continuation)
    let logger = Logger(label: "server")
    let group = ServiceGroup(services: [engine, server], gracefulShutdownSignals: [.sigterm], logger: logger)

    async let end: Void = group.run()
    #expect(await kinds.first { _ in true } == .contact)
    await group.triggerGracefulShutdown()
    try await end
    await #expect { _ = try await engine.probe(.bytes([1])) } throws: { ($0 as? MediaFailure)?.code == .cancelled }
  }

  @Test func scanningAtNight() async throws {
    let temporary = try TemporaryFolder()
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.image)))
    try temporary.write(bytes, to: "photos/picture.png")
    let photos = temporary.path("photos")
    let location = LibraryLocation(folder: PathBytes(temporary.path("library")))
    let library = try Library.open(at: location, for: .creating)
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let engine = try await MediaEngine.start(configuration)

    let scanner = MediaScanner(library: library, engine: engine)
    var options = ScanOptions()
    options.renditions = ["grid", "message"]
    options.retry = [.timedOut]
    let night = Task {
      for try await event in scanner.scan([PathBytes(photos)], options: options) {
        switch event {
        case .file(let file):
          if let failure = file.failure { print("\(file.path): \(failure.message)") }
        case .problem(let problem):
          print("\(problem.path): \(problem.failure.message)")
        case .progress(let progress):
          print("\(progress.totals.all.files) files, \(Int(progress.filesPerSecond)) in a second")
        case .watching: break
        case .finished(let totals, let isComplete):
          let end = isComplete ? "all done" : "to be continued"
          print("\(totals.examined.files) decoded, \(totals.failed) failed; \(end)")
        }
      }
    }
    let morning = Task {
      try await Task.sleep(for: .seconds(6 * 3_600))
      night.cancel()
    }
    try await night.value
    morning.cancel()

    let kept = try library.catalogue.newest(.photosAndVideos, after: nil, limit: 50).files
    #expect(kept.map(\.stamp.path) == [PathBytes(photos + "/picture.png")])
    #expect(try library.catalogue.renditions(of: kept[0].id).map(\.name).sorted() == ["grid", "message"])
    await engine.shutdown()
  }

  @Test func fittingAMessage() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let engine = try await MediaEngine.start(configuration)
    let temporary = try TemporaryFolder()
    let folder = temporary.url
    let source = MediaSource.bytes([UInt8](try #require(Data(base64Encoded: Self.image))))
    let attachment = MediaAttachment(id: "1", name: "picture.png", info: try await engine.probe(source))
    let composition = MessageComposition(
      content: [.text("Hello"), .attachment(AttachmentDraft.Item(attachment))],
      recipients: [MessageRecipient("+15551234567")])
    let files = [attachment.id: source]

    let fitter = MessageFitter(engine: engine, transcoder: EngineTranscoder(engine: engine))
    let profile = CarrierProfile.preset("mms-300k") ?? CarrierProfile()
    switch try await fitter.fit(composition, under: profile, files: files) {
    case .fitted(let message):
      for change in message.plan.changes {
        print(change.id, change.from.bytes, "→", change.to.bytes, change.effects.map(\.rawValue))
      }
      let request = try message.sendRequest(SendRequestOptions(transactionID: "T1", date: 1_800_000_000))
      let octets = try request.encoded()
      try Data(octets).write(to: folder.appendingPathComponent("message.mms"), options: .atomic)
    case .refused(let refusal):
      print("\(refusal.bytes) of \(refusal.limit) bytes; leave out", refusal.remove)
    }

    let written = try Data(contentsOf: folder.appendingPathComponent("message.mms"))
    let slides = MessageSlides(of: try MMSMessage(decoding: [UInt8](written))).slides
    #expect(slides.map { $0.media?.contentType.mediaType } == [nil, .jpeg])
    await engine.shutdown()
  }

  @Test func walkingAFolder() throws {
    let temporary = try TemporaryFolder()
    for name in ["a.jpg", "b/c.jpg", "b/d.tmp", "cache/e.jpg"] { try temporary.write([1, 2], to: name) }
    let folder = PathBytes(temporary.url.path)

    var filter = FolderWalk.Filter()
    filter.excluding = IgnoreFile(text: Array("*.tmp\ncache/".utf8))
    var walk = FolderWalk(root: folder, filter: filter)
    let list = try AtomicFile(at: folder.appending("list.txt".utf8))
    var current = folder
    while let event = walk.next() {
      switch event {
      case .entered(let entered): current = PathBytes(entered.path)
      case .file(let file): try list.append(current.appending(file.name).bytes + Array("\t\(file.status.bytes)\n".utf8))
      case .filesEnded: continue
      case .problem(let problem): print(PathBytes(problem.path), problem.failure.message)
      }
    }
    try list.commit()

    let written = try String(contentsOfFile: temporary.path("list.txt"), encoding: .utf8)
    #expect(written == ["a.jpg", "b/c.jpg"].map { "\(folder)/\($0)\t2\n" }.joined())
  }
}
