public import FileSupport
public import MediaModel

/// A catalogue for callers that must not block: each call is made on a thread of a ``BlockingThreads``, and its task suspended meanwhile.
///
/// The calls are those of ``MediaCatalogue``, which says what they do. Each throws a ``LibraryError``, or `CancellationError` when its task was
/// cancelled before the call began; one that has begun is finished.
public struct AsyncCatalogue: Sendable {
  /// The catalogue whose calls these are.
  public let catalogue: any MediaCatalogue
  private let threads: BlockingThreads

  /// A catalogue whose calls are made on some threads. Several catalogues may share them.
  public init(_ catalogue: any MediaCatalogue, on threads: BlockingThreads = BlockingThreads()) {
    (self.catalogue, self.threads) = (catalogue, threads)
  }

  /// Makes several calls in one go, on one thread.
  public func call<Value: Sendable>(
    _ body: @escaping @Sendable (any MediaCatalogue) throws -> Value
  ) async throws -> Value {
    let catalogue = catalogue
    return try await threads.run { try body(catalogue) }
  }

  /// Puts in files (``MediaCatalogue/add(_:)``).
  public func add(_ files: [AddedFile]) async throws -> [FileID] { try await call { try $0.add(files) } }

  /// A file, by its path.
  public func file(at path: PathBytes) async throws -> CatalogueFile? { try await call { try $0.file(at: path) } }

  /// A file, by its id.
  public func file(_ id: FileID) async throws -> CatalogueFile? { try await call { try $0.file(id) } }

  /// The renditions of a file.
  public func renditions(of id: FileID) async throws -> [StoredRendition] {
    try await call { try $0.renditions(of: id) }
  }

  /// The newest of a scope (``MediaCatalogue/newest(_:after:limit:)``).
  public func newest(_ scope: CatalogueScope, after: CatalogueCursor?, limit: Int) async throws -> CataloguePage {
    try await call { try $0.newest(scope, after: after, limit: limit) }
  }

  /// Files by words (``MediaCatalogue/search(_:in:after:limit:)``).
  public func search(
    _ text: String, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) async throws -> CataloguePage {
    try await call { try $0.search(text, in: scope, after: after, limit: limit) }
  }

  /// Files at or below a folder (``MediaCatalogue/files(under:in:after:limit:)``).
  public func files(
    under folder: PathBytes, in scope: CatalogueScope = .all, after: CatalogueCursor?, limit: Int
  ) async throws -> CataloguePage {
    try await call { try $0.files(under: folder, in: scope, after: after, limit: limit) }
  }

  /// Files of a state (``MediaCatalogue/files(of:in:after:limit:)``).
  public func files(
    of state: FileState, in scope: CatalogueScope = .all, after: CatalogueCursor?, limit: Int
  ) async throws -> CataloguePage {
    try await call { try $0.files(of: state, in: scope, after: after, limit: limit) }
  }

  /// Files that failed (``MediaCatalogue/failures(code:in:after:limit:)``).
  public func failures(
    code: MediaFailure.Code?, in scope: CatalogueScope = .all, after: CatalogueCursor?, limit: Int
  ) async throws -> CataloguePage {
    try await call { try $0.failures(code: code, in: scope, after: after, limit: limit) }
  }

  /// Contents that several files have (``MediaCatalogue/duplicates(in:after:limit:)``).
  public func duplicates(
    in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) async throws -> DuplicatePage {
    try await call { try $0.duplicates(in: scope, after: after, limit: limit) }
  }

  /// Files of the same content (``MediaCatalogue/files(sharingContentWith:in:after:limit:)``).
  public func files(
    sharingContentWith id: FileID, in scope: CatalogueScope = .all, after: CatalogueCursor?, limit: Int
  ) async throws -> CataloguePage {
    try await call { try $0.files(sharingContentWith: id, in: scope, after: after, limit: limit) }
  }

  /// Counts (``MediaCatalogue/counts(in:)``).
  public func counts(in scope: CatalogueScope) async throws -> [LibraryCount] {
    try await call { try $0.counts(in: scope) }
  }

  /// The map (``MediaCatalogue/locations(in:zoom:of:)``).
  public func locations(in bounds: GeoBounds, zoom: Int, of scope: CatalogueScope) async throws -> LocationMap {
    try await call { try $0.locations(in: bounds, zoom: zoom, of: scope) }
  }

  /// The members of a cluster (``MediaCatalogue/members(of:in:after:limit:)``).
  public func members(
    of cluster: LocationCluster.ID, in scope: CatalogueScope, after: CatalogueCursor?, limit: Int
  ) async throws -> CataloguePage {
    try await call { try $0.members(of: cluster, in: scope, after: after, limit: limit) }
  }
}
