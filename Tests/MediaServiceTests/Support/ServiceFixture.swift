internal import FileSupport
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Synchronization
internal import TestSupport

@testable internal import MediaService

/// A service with a library of its own, into which tests put files without an upload.
struct ServiceFixture: Sendable {
  let service: MediaService
  let folder: TemporaryFolder
  let clock: TestClock

  /// A clock that stands still until a test moves it.
  final class TestClock: Sendable {
    private let seconds: Mutex<Int>
    init(_ seconds: Int = 1_700_000_000) { self.seconds = Mutex(seconds) }
    var now: Int { seconds.withLock { $0 } }
    func advance(_ by: Int) { seconds.withLock { $0 += by } }
  }

  /// The engine of all tests: two workers.
  private static let engine = Task {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 2)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    configuration.domain = .isolated
    configuration.spares = 0
    return try await MediaEngine.start(configuration)
  }

  /// Opens a service, in a new library or in that of another fixture.
  init(
    in folder: TemporaryFolder? = nil, clock: TestClock = TestClock(),
    configure: (inout MediaService.Configuration) -> Void = { _ in }
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    var configuration = MediaService.Configuration(
      library: LibraryLocation(folder: PathBytes(folder.path("library"))))
    configuration.limits.freeBytes = 0
    // The service keeps its folder, which is removed with the last of its users.
    configuration.clock = { withExtendedLifetime(folder) { clock.now } }
    configure(&configuration)
    (self.folder, self.clock) = (folder, clock)
    service = try await MediaService.open(configuration, engine: try await Self.engine.value)
  }

  /// Puts a file into the library as an upload does: kept, examined, with its renditions.
  /// - Parameter name: Its name in testdata.
  /// - Returns: The id in the interface.
  @discardableResult
  func add(_ name: String, owner: String = "anna", time: Int? = nil) async throws -> String {
    try await add(path: Fixture.path(name), owner: owner, time: time)
  }

  /// Puts the file at a path into the library.
  @discardableResult
  func add(path: String, owner: String = "anna", time: Int? = nil) async throws -> String {
    let library = service.library
    let stamp = try await library.keepOriginal(at: PathBytes(path), owner: owner)
    var request = MediaPreview.Request(renditions: ["grid", "message"].compactMap { RenditionRequest.named($0) })
    request.probe.digest = true
    let preview = try await service.engine.preview(
      .path(bytes: stamp.path.bytes), request, domain: .owner(owner))
    var renditions: [StoredRendition] = []
    for rendition in preview.thumbnails.renditions {
      renditions.append(StoredRendition(rendition, address: try await library.putRendition(rendition.data)))
    }
    var info = preview.info
    if let time { info.takenAt = MediaInfo.CaptureTime(secondsSince1970: time) }
    let received = clock.now
    let ids = try await library.catalogue.add([
      AddedFile(
        path: stamp.path, modified: time ?? received, received: max(received, time ?? 0),
        result: FileResult(
          info: info, digest: info.sha256.flatMap { ContentDigest(hexadecimal: $0) },
          placeholder: preview.thumbnails.placeholder, renditions: renditions, engine: service.engine.version),
        owner: owner)
    ])
    return "\(ids[0].rawValue)"
  }

  /// Facts without a file, for listings that read none.
  @discardableResult
  func addRow(
    _ name: String, type: MediaType = .jpeg, bytes: Int = 1_000, owner: String = "anna", time: Int,
    change: (inout MediaInfo) -> Void = { _ in }
  ) async throws -> String {
    var info = MediaInfo(type: type, bytes: bytes)
    (info.width, info.height) = (400, 300)
    info.takenAt = MediaInfo.CaptureTime(secondsSince1970: time)
    change(&info)
    let ids = try await service.library.catalogue.add([
      AddedFile(
        path: PathBytes(folder.path("rows/\(name)")), modified: time, received: max(time, clock.now),
        result: FileResult(
          info: info, digest: info.sha256.flatMap { ContentDigest(hexadecimal: $0) },
          placeholder: Placeholder(thumbhash: "AA==", blurhash: "000000", color: "#102030"), engine: "test"),
        owner: owner)
    ])
    return "\(ids[0].rawValue)"
  }
}

/// Whether a service error has a code.
func code(_ body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? ServiceError)?.code.rawValue ?? "\(error)"
  }
}
