/// A content that stands at more than one path.
public struct DuplicateGroup: Hashable, Sendable {
  /// Its digest; nil for names of one file, which was never digested.
  public var digest: ContentDigest?
  /// Bytes of one of them.
  public var bytes: Int
  /// How many paths there are.
  public var files: Int
  /// One of them.
  public var example: FileID
}

/// A page of duplicates.
public struct DuplicatePage: Sendable {
  /// The contents, in the order of the listing.
  public var groups: [DuplicateGroup]
  /// Where the next page begins; nil when this is the last one.
  public var next: CatalogueCursor?
}
