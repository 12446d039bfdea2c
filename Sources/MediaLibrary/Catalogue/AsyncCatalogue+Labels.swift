/// Owners, collections, texts and locations that people assign to files.
extension AsyncCatalogue {
  /// Sets the owner and the collection of files (``MediaCatalogue/assign(_:owner:collection:)``).
  public func assign(_ files: [FileID], owner: String?, collection: MediaCollection.Choice) async throws {
    try await change { try $0.assign(files, owner: owner, collection: collection) }
  }

  /// Sets the title and the caption of a file; nil removes them.
  public func setText(of file: FileID, title: String?, caption: String?) async throws {
    try await change { try $0.setText(of: file, title: title, caption: caption) }
  }

  /// Sets the location of a file; nil removes it.
  public func setLocation(of file: FileID, _ location: Location?) async throws {
    try await change { try $0.setLocation(of: file, location) }
  }

  /// Sets labels of many files, completely or not at all (``MediaCatalogue/setLabels(_:)``).
  public func setLabels(_ labels: [(file: FileID, label: CatalogueFile.Label)]) async throws {
    try await change { try $0.setLabels(labels) }
  }

  /// Creates a collection and opens it (``MediaCatalogue/openCollection(_:owner:title:at:)``).
  public func openCollection(_ name: String, owner: String, title: String?, at time: Int) async throws {
    try await change { try $0.openCollection(name, owner: owner, title: title, at: time) }
  }

  /// Closes the open collection of an owner.
  public func closeCollection(of owner: String) async throws { try await change { try $0.closeCollection(of: owner) } }

  /// Changes the title of a collection.
  public func setTitle(_ title: String?, ofCollection name: String, owner: String) async throws {
    try await change { try $0.setTitle(title, ofCollection: name, owner: owner) }
  }

  /// The collections of an owner.
  public func collections(
    of owner: String, by order: MediaCollection.Order, after: CatalogueFile.Cursor?, limit: Int
  ) async throws -> MediaCollection.Page {
    try await call { try $0.collections(of: owner, by: order, after: after, limit: limit) }
  }
}
