/// What people say of files.
extension AsyncCatalogue {
  /// Says whose files these are (``MediaCatalogue/assign(_:owner:collection:)``).
  public func assign(_ files: [FileID], owner: String?, collection: CollectionChoice) async throws {
    try await call { try $0.assign(files, owner: owner, collection: collection) }
  }

  /// Gives a file a title and a caption.
  public func setText(of file: FileID, title: String?, caption: String?) async throws {
    try await call { try $0.setText(of: file, title: title, caption: caption) }
  }

  /// Gives a file a place, or takes it away.
  public func setLocation(of file: FileID, _ location: Location?) async throws {
    try await call { try $0.setLocation(of: file, location) }
  }

  /// Makes a collection and opens it (``MediaCatalogue/openCollection(_:owner:title:at:)``).
  public func openCollection(_ name: String, owner: String, title: String?, at time: Int) async throws {
    try await call { try $0.openCollection(name, owner: owner, title: title, at: time) }
  }

  /// Closes the collection of an owner that is open.
  public func closeCollection(of owner: String) async throws { try await call { try $0.closeCollection(of: owner) } }

  /// Changes the title of a collection.
  public func setTitle(_ title: String?, ofCollection name: String, owner: String) async throws {
    try await call { try $0.setTitle(title, ofCollection: name, owner: owner) }
  }

  /// The collections of an owner.
  public func collections(
    of owner: String, by order: CollectionOrder, after: CatalogueCursor?, limit: Int
  ) async throws -> CollectionPage {
    try await call { try $0.collections(of: owner, by: order, after: after, limit: limit) }
  }
}
