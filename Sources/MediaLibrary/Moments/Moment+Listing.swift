extension Moment {
  /// The moments that a listing covers: those that match all properties. There is no listing without owners.
  public struct Scope: Hashable, Sendable {
    /// Who reads. Decides which moments are listed, and whether they have locations.
    public enum Audience: String, Hashable, Sendable, CaseIterable {
      /// The owner: all moments whose file is not quarantined.
      case owner
      /// A friend of the owners: what they show to friends and to everyone.
      case friends
      /// Anyone: what the owners show to everyone, without locations.
      case everyone
    }

    /// The owners, for example a person's friends.
    public var owners: [String]
    /// Who reads.
    public var audience: Audience
    /// The kinds. Default nil: all.
    public var kinds: Set<Kind>?
    /// The times (``Moment/time``) in seconds since 1970. Default nil: all.
    public var times: Range<Int>?
    /// The earliest time of the last change (``Moment/changed``), for recent activity. Default nil: any.
    public var changedSince: Int?

    /// The moments of some owners.
    public init(
      owners: [String], audience: Audience, kinds: Set<Kind>? = nil, times: Range<Int>? = nil, changedSince: Int? = nil
    ) {
      (self.owners, self.audience, self.kinds) = (owners, audience, kinds)
      (self.times, self.changedSince) = (times, changedSince)
    }

    /// All moments of an owner, as this owner sees them.
    public static func owner(_ name: String) -> Scope { Scope(owners: [name], audience: .owner) }
    /// What friends of some owners see.
    public static func friends(_ names: [String]) -> Scope { Scope(owners: names, audience: .friends) }
  }

  /// How moments are sorted; also the direction of their pages.
  public enum Order: String, Sendable, CaseIterable {
    /// The newest first.
    case time
    /// Most recently posted or changed first.
    case activity
  }

  /// Moments with the cursor of the next page.
  public struct Page: Sendable {
    /// The moments, in the order of the listing.
    public var moments: [Moment]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
    /// Moments of which the catalogue's row is damaged: they are not in ``moments``. ``Library/repair(_:)`` repairs them.
    public var damaged: [ID] = []
  }
}
