import AttachmentPolicy
import FileSupport
import Foundation
import LibraryScanner
import MediaEngine
import MediaEngineInProcess
import MediaLibrary
import MediaModel
import TestSupport
import Testing

extension Examples {
  @Test func `A library is opened and scanned`() throws {
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

  @Test func `Moments are posted`() throws {
    let temporary = try TemporaryFolder()
    let library = try Library.open(
      at: LibraryLocation(folder: PathBytes(temporary.path("library"))), for: .creating)
    let now = 1_800_000_000

    let trip = try library.moments.add(Trip.New(owner: "ann", title: "Lakes", started: now))
    var note = Moment.New(owner: "ann", note: "The ferry was late", posted: now)
    note.location = .given(Location(latitude: 46.55, longitude: 7.89, source: .device))
    note.visibility = .friends
    let ids = try library.moments.add([note])
    let changed = try library.moments.change(ids[0], of: "ann", version: 1, at: now + 60, [.title("Ferry")])

    try library.moments.setLocationSharing(.friends, of: "ann", applyingToExisting: true)
    let friends = Moment.Scope.friends(["ann", "bob"])
    let newest = try library.moments.newest(friends, after: nil, limit: 50)
    let map = try library.moments.locations(in: .world, zoom: 3, of: friends)

    var rules = Trip.Path.Rules()
    rules.zoom = 8
    let path = try library.moments.path(of: trip.id, of: ["ann"], rules: rules)
    let document = try JSONEncoder().encode(path?.geoJSON)

    #expect(changed.version == 2)
    #expect(newest.moments.map(\.title) == ["Ferry"])
    #expect(map.clusters.map(\.count) == [1])
    #expect(path?.count == 1)
    #expect(String(decoding: document, as: UTF8.self).contains("FeatureCollection"))
  }

  @Test func `A library is asked in a task`() async throws {
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

  @Test func `A draft is stored`() throws {
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

  @Test func `A folder is scanned at night`() async throws {
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
    var options = MediaScanner.Options()
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
}
