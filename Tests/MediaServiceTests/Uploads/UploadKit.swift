internal import Crypto
internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport

@testable internal import MediaService

/// A service with a library of its own, and a clock that a test sets.
struct UploadKit: Sendable {
  let folder: TemporaryFolder
  let service: MediaService
  let time: Locked<Int>

  static let ada = Caller(owner: "ada")
  static let bob = Caller(owner: "bob")

  /// The engine of all tests.
  static let engine = Task {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 2)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    configuration.domain = .isolated
    configuration.spares = 0
    return try await MediaEngine.start(configuration)
  }

  /// Opens a service.
  /// - Parameter folder: That of an earlier one, to start again; nil for a new one.
  static func open(
    in folder: TemporaryFolder? = nil, _ configure: (inout MediaService.Configuration) -> Void = { _ in }
  ) async throws -> UploadKit {
    let folder = try folder ?? TemporaryFolder()
    let time = Locked(1_700_000_000)
    var configuration = MediaService.Configuration(
      library: LibraryLocation(folder: PathBytes(folder.path("library"))))
    // The disk of a test machine may be small.
    configuration.limits.freeBytes = 0
    configuration.clock = { time.withLock { $0 } }
    configure(&configuration)
    let service = try await MediaService.open(configuration, engine: try await engine.value)
    return UploadKit(folder: folder, service: service, time: time)
  }

  /// Closes this service, as the end of a process would, and opens another one on the same library.
  func restarted(
    _ configure: (inout MediaService.Configuration) -> Void = { _ in }
  ) async throws -> UploadKit {
    try await service.close()
    return try await Self.open(in: folder, configure)
  }

  func advance(_ seconds: Int) { time.withLock { $0 += seconds } }

  /// The bytes of unfinished uploads, by the names of their files.
  func parts() throws -> [String: Int] {
    let path = folder.path("library/uploads")
    return try FileManager.default.contentsOfDirectory(atPath: path).reduce(into: [:]) {
      $0[$1] = try FileManager.default.attributesOfItem(atPath: "\(path)/\($1)")[.size] as? Int
    }
  }

  /// The bytes of an attachment's original.
  func original(_ id: FileID) async throws -> [UInt8]? {
    try await service.library.catalogue.file(id).map {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0.stamp.path.description)))
    }
  }

  /// A photo of testdata/.
  static func photo() throws -> [UInt8] { try Fixture.bytes("camera-roll/IMG_0001.jpg") }

  /// A text of so many bytes, other than that of another seed.
  static func text(_ bytes: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<bytes).map { index in
      index % 64 == 63 ? UInt8(ascii: "\n") : UInt8(ascii: "a") + UInt8(random.below(26))
    }
  }

  /// The code with which a call fails; nil if it succeeds.
  static func code(_ body: () async throws(ServiceError) -> Void) async -> ServiceError.Code? {
    do throws(ServiceError) {
      try await body()
      return nil
    } catch {
      return error.code
    }
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}

/// The body of a request, in pieces.
struct Pieces: AsyncSequence, Sendable {
  /// How the body ends.
  enum End: Sendable {
    /// With its last piece.
    case whole
    /// The connection is lost.
    case cut
  }

  struct Lost: Error {}

  let pieces: [[UInt8]]
  let end: End
  /// How many pieces were taken.
  let taken = Locked(0)

  init(_ bytes: [UInt8], by size: Int = 10_000, end: End = .whole) {
    pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<Swift.min($0 + size, bytes.count)]) }
    self.end = end
  }

  func makeAsyncIterator() -> Iterator { Iterator(body: self) }

  struct Iterator: AsyncIteratorProtocol {
    let body: Pieces
    var index = 0

    mutating func next() async throws -> [UInt8]? {
      guard index < body.pieces.count else {
        if body.end == .cut { throw Lost() }
        return nil
      }
      defer { index += 1 }
      body.taken.withLock { $0 += 1 }
      return body.pieces[index]
    }
  }
}

extension MediaService {
  /// Sends bytes to an upload, as a request does.
  func send(
    _ bytes: [UInt8], to upload: Upload, at offset: Int, isLast: Bool? = nil, length: Int? = nil,
    checksum: Upload.Checksum? = nil, end: Pieces.End = .whole, stated: Int? = nil, for caller: Caller = UploadKit.ada
  ) async throws(ServiceError) -> Upload {
    try await append(
      Upload.Append(
        form: upload.form, offset: offset, bytes: stated ?? (end == .whole ? bytes.count : nil), isLast: isLast,
        length: length, checksum: checksum),
      to: upload.id, body: Pieces(bytes, end: end), interrupt: {}, for: caller)
  }

  /// Creates a tus upload.
  func create(
    _ length: Int?, claims: Upload.Claims = Upload.Claims(), for caller: Caller = UploadKit.ada
  ) async throws(ServiceError) -> Upload {
    try await createUpload(NewUpload(form: .tus, length: length, claims: claims), for: caller)
  }
}
