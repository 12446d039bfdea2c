/// Files of one owner that belong together: a trip, an album (R-MYM-18).
public struct MediaCollection: Hashable, Sendable {
  /// Its name, of which an owner has one.
  public var name: String
  /// Whose it is.
  public var owner: String
  /// What to show for it.
  public var title: String?
  /// Whether files join it without being told.
  public var isOpen: Bool
  /// When it was opened first: seconds since 1970; 0 for one that was never open.
  public var started: Int
  /// How many files it has that are listed.
  public var files: Int
}

/// How collections are ordered.
public enum CollectionOrder: Sendable {
  /// By name.
  case name
  /// The one that was made last first.
  case started
}

/// Which collection files go to.
public enum CollectionChoice: Hashable, Sendable {
  /// The one that they are in.
  case unchanged
  /// The owner's open one; none when none is open.
  case open
  /// The one of that name, made when there is none.
  case named(String)
  /// None.
  case none
}

/// A page of collections.
public struct CollectionPage: Sendable {
  /// The collections, in the order of the listing.
  public var collections: [MediaCollection]
  /// Where the next page begins; nil when this is the last one.
  public var next: CatalogueCursor?
}
