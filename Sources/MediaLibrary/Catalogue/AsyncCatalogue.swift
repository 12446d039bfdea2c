public import FileSupport
public import MediaModel

/// A catalogue for callers that must not block: each call runs on a thread of a ``BlockingThreads`` while its task is suspended.
///
/// The methods are those of ``MediaCatalogue``, and documented there. Each throws a ``LibraryError``, or `CancellationError` if its task was
/// cancelled before the call began; a call in progress is finished.
public struct AsyncCatalogue: Sendable {
  /// The catalogue that answers the calls.
  public let catalogue: any MediaCatalogue
  private let reading: BlockingThreads
  private let writing: BlockingThreads

  /// Creates a catalogue that makes its calls on some threads. Catalogues can share threads.
  /// - Parameters:
  ///   - threads: For calls that read.
  ///   - writing: For calls that change something, which wait for one another in the database. Default nil: the same threads. With threads of their
  ///     own, writers that wait keep no reader from a thread.
  public init(
    _ catalogue: any MediaCatalogue, on threads: BlockingThreads = BlockingThreads(),
    writingOn writing: BlockingThreads? = nil
  ) {
    (self.catalogue, reading, self.writing) = (catalogue, threads, writing ?? threads)
  }

  /// Makes several calls on one thread, in one suspension.
  public func call<Value: Sendable>(
    _ body: @escaping @Sendable (any MediaCatalogue) throws -> Value
  ) async throws -> Value {
    let catalogue = catalogue
    return try await reading.run { try body(catalogue) }
  }

  /// Makes several calls that change something in one go, on one thread for writing.
  public func change<Value: Sendable>(
    _ body: @escaping @Sendable (any MediaCatalogue) throws -> Value
  ) async throws -> Value {
    let catalogue = catalogue
    return try await writing.run { try body(catalogue) }
  }

  /// Adds files (``MediaCatalogue/add(_:)``).
  public func add(_ files: [AddedFile]) async throws -> [FileID] { try await change { try $0.add(files) } }

  /// Adds renditions of a file (``MediaCatalogue/addRenditions(_:to:)``).
  public func addRenditions(_ renditions: [StoredRendition], to id: FileID) async throws -> Bool {
    try await change { try $0.addRenditions(renditions, to: id) }
  }

  /// The file with this path (``MediaCatalogue/file(at:)``).
  public func file(at path: PathBytes) async throws -> CatalogueFile? { try await call { try $0.file(at: path) } }

  /// The file with this id (``MediaCatalogue/file(_:)``).
  public func file(_ id: FileID) async throws -> CatalogueFile? { try await call { try $0.file(id) } }

  /// The stored images of a file (``MediaCatalogue/renditions(of:)``).
  public func renditions(of id: FileID) async throws -> [StoredRendition] {
    try await call { try $0.renditions(of: id) }
  }

  /// The newest files of a scope (``MediaCatalogue/newest(_:after:limit:)``).
  public func newest(_ scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int) async throws
    -> CatalogueFile.Page
  {
    try await call { try $0.newest(scope, after: after, limit: limit) }
  }

  /// Searches by words (``MediaCatalogue/search(_:in:after:limit:)``).
  public func search(
    _ text: String, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> CatalogueFile.Page {
    try await call { try $0.search(text, in: scope, after: after, limit: limit) }
  }

  /// The files at or below a folder (``MediaCatalogue/files(under:in:after:limit:)``).
  public func files(
    under folder: PathBytes, in scope: CatalogueScope = .all, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> CatalogueFile.Page {
    try await call { try $0.files(under: folder, in: scope, after: after, limit: limit) }
  }

  /// The files in a state (``MediaCatalogue/files(of:in:after:limit:)``).
  public func files(
    of state: CatalogueFile.State, in scope: CatalogueScope = .all, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> CatalogueFile.Page {
    try await call { try $0.files(of: state, in: scope, after: after, limit: limit) }
  }

  /// The failed files (``MediaCatalogue/failures(code:in:after:limit:)``).
  public func failures(
    code: MediaFailure.Code?, in scope: CatalogueScope = .all, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> CatalogueFile.Page {
    try await call { try $0.failures(code: code, in: scope, after: after, limit: limit) }
  }

  /// File contents shared by several files (``MediaCatalogue/duplicates(in:after:limit:)``).
  public func duplicates(
    in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> CatalogueFile.Duplicates.Page {
    try await call { try $0.duplicates(in: scope, after: after, limit: limit) }
  }

  /// The files with the same content as a file (``MediaCatalogue/files(sharingContentWith:in:after:limit:)``).
  public func files(
    sharingContentWith id: FileID, in scope: CatalogueScope = .all, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> CatalogueFile.Page {
    try await call { try $0.files(sharingContentWith: id, in: scope, after: after, limit: limit) }
  }

  /// Numbers of files by state, kind and failure code (``MediaCatalogue/counts(in:)``).
  public func counts(in scope: CatalogueScope) async throws -> [CatalogueFile.Count] {
    try await call { try $0.counts(in: scope) }
  }

  /// The clusters of a part of the map (``MediaCatalogue/locations(in:zoom:of:)``).
  public func locations(in bounds: LocationMap.Bounds, zoom: Int, of scope: CatalogueScope) async throws -> LocationMap
  {
    try await call { try $0.locations(in: bounds, zoom: zoom, of: scope) }
  }

  /// The members of a cluster (``MediaCatalogue/members(of:in:after:limit:)``).
  public func members(
    of cluster: LocationMap.Cluster.ID, in scope: CatalogueScope, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> CatalogueFile.Page {
    try await call { try $0.members(of: cluster, in: scope, after: after, limit: limit) }
  }
}
