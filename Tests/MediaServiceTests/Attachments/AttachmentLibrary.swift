internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import MetricsTestKit
internal import TestSupport

@testable internal import MediaService

/// A service in a folder of its own, with files of testdata/ as its attachments.
final class AttachmentLibrary: Sendable {
  /// The time of the service's clock.
  static let now = 1_800_000_000
  /// The key of signed URLs.
  static let secret = Array(UInt8(0)..<32)

  let folder: TemporaryFolder
  let service: MediaService

  /// - Parameter metrics: Gets the engine's counts. Default nil: they are not counted.
  init(
    metrics: TestMetrics? = nil, change: (inout MediaService.Configuration) -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    var configuration = MediaService.Configuration(
      library: LibraryLocation(data: PathBytes(folder.path("data")), cache: PathBytes(folder.path("cache"))))
    configuration.clock = { Self.now }
    // However busy this machine is: by default an application has half a second to answer.
    configuration.limits.accessSeconds = 600
    configuration.signingKeys = SigningKeys([SigningKeys.Key(id: "k1", secret: Self.secret)])
    change(&configuration)
    var engine = MediaEngine.Configuration()
    engine.kind = .workers(count: 1)
    engine.worker = BuiltProduct.path("mediatool-worker")
    engine.spares = 0
    engine.domain = .isolated
    if let metrics { engine.metrics = metrics }
    service = try await MediaService.open(configuration, engine: MediaEngine.start(engine))
  }

  /// Keeps a file as an upload does.
  /// - Parameter renditions: Names of sizes that are made at once.
  @discardableResult
  func add(
    _ fixture: String, owner: String? = "alice", name: String? = nil, labels: [String: Bool] = [:],
    renditions: [String] = []
  ) async throws -> FileID {
    try await add(
      path: Fixture.path(fixture), owner: owner, name: name ?? fixture.split(separator: "/").last.map(String.init),
      labels: labels, renditions: renditions)
  }

  func add(
    path: String, owner: String? = "alice", name: String? = nil, labels: [String: Bool] = [:],
    renditions: [String] = []
  ) async throws -> FileID {
    let domain = owner.map { MediaEngine.TrustDomain.owner($0) }
    var request = MediaPreview.Request(renditions: renditions.compactMap { RenditionRequest.named($0) })
    request.probe.digest = true
    let preview = try await service.engine.preview(.path(path), request, domain: domain)
    var stored: [StoredRendition] = []
    for rendition in preview.thumbnails.renditions {
      stored.append(
        StoredRendition(rendition, address: try await service.library.putRendition(rendition.data)))
    }
    let stamp = try await service.library.keepOriginal(at: PathBytes(path), owner: owner)
    let result = FileResult(
      info: preview.info, digest: preview.info.sha256.flatMap { ContentDigest(hexadecimal: $0) },
      placeholder: preview.thumbnails.placeholder, renditions: stored, engine: service.engine.version)
    let ids = try await service.library.catalogue.add([
      AddedFile(path: stamp.path, modified: Self.now, received: Self.now, result: result, owner: owner)
    ])
    guard let id = ids.first else { throw ServiceError.notFound }
    try await service.database.write { db in
      try AttachmentRecord.note(id, owner: owner, name: name, labels: labels, in: db)
    }
    return id
  }

  /// Replaces what is stored of all drafts by bytes that are no draft.
  func damageDrafts() throws { try damageStoredDrafts(in: folder.path("data/drafts")) }

  /// The code of the error with which a call fails; nil if it succeeds.
  static func code(_ body: () async throws -> Void) async -> ServiceError.Code? {
    do {
      try await body()
      return nil
    } catch let error as ServiceError {
      return error.code
    } catch {
      return .internalError
    }
  }
}

extension Caller {
  static let alice = Caller(owner: "alice")
  static let bob = Caller(owner: "bob")
  static let moderator = Caller(owner: "mod", scope: [.moderate])
}

/// Replaces what is stored of all drafts in a folder by bytes that are no draft.
func damageStoredDrafts(in folder: String) throws {
  for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
    let path = "\(folder)/\(name)/draft.json"
    if FileManager.default.fileExists(atPath: path) {
      try Data("no draft".utf8).write(to: URL(fileURLWithPath: path))
    }
  }
}
