public import MediaModel

/// The place in a listing where a page ended. It stays good whatever is added or removed meanwhile. A word that may travel; it says nothing.
public struct CatalogueCursor: RawRepresentable, Hashable, Codable, Sendable {
  /// The word.
  public let rawValue: String
  /// A cursor that was given out before.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A page of a listing.
public struct CataloguePage: Sendable {
  /// The files, in the order of the listing.
  public var files: [CatalogueFile]
  /// Where the next page begins; nil when this is the last one.
  public var next: CatalogueCursor?
}

/// How many files of one state, kind and failure code there are.
public struct LibraryCount: Hashable, Sendable {
  /// The state.
  public var state: FileState
  /// The kind; nil where it is not known.
  public var kind: MediaKind?
  /// The failure code of failed ones.
  public var failure: MediaFailure.Code?
  /// Files.
  public var files: Int
  /// Their bytes together.
  public var bytes: Int
}
