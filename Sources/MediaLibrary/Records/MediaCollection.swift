/// Files of one owner that belong together: a trip, an album (R-MYM-18).
public struct MediaCollection: Hashable, Sendable {
  /// The name, unique for an owner.
  public var name: String
  /// The name of the user to whom the collection belongs.
  public var owner: String
  /// The title to display.
  public var title: String?
  /// Whether new files of the owner are added to it by default.
  public var isOpen: Bool
  /// When it was first opened, in seconds since 1970; 0 if it was never open.
  public var started: Int
  /// Number of its files that are listed.
  public var files: Int
}

extension MediaCollection {
  /// How a listing of collections is sorted.
  public enum Order: Sendable {
    /// In the order of their names.
    case name
    /// Most recently created first.
    case started
  }

  /// The collection to which files are assigned.
  public enum Choice: Hashable, Sendable {
    /// The files stay in their current collection, if any.
    case unchanged
    /// The owner's open collection; none if no collection is open.
    case open
    /// The collection with this name, created if necessary.
    case named(String)
    /// The files are removed from their collection.
    case none
  }

  /// Collections with the cursor of the next page.
  public struct Page: Sendable {
    /// The collections, in the order of the listing.
    public var collections: [MediaCollection]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
  }
}
