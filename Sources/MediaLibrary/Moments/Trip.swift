/// A trip: moments of one owner in an order, with a start and an end (R-MYM-18). A moment may be in several trips.
public struct Trip: Hashable, Sendable, Identifiable {
  /// The id of a trip, which is never given again.
  public struct ID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    /// The number of the row.
    public let rawValue: Int64
    /// An id with this number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// The order in which trips were added.
    public static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
  }

  /// The number of the trip in its library, which is never used again.
  public var id: ID
  /// The name of its owner.
  public var owner: String
  /// The title, unchanged as it was given.
  public var title: String
  /// The description, unchanged as it was given.
  public var description: String?
  /// When it starts, in seconds since 1970.
  public var started: Int
  /// When it ends; nil while it is open: new moments of its owner join it.
  public var ended: Int?
  /// Who may see it. Its moments have a visibility of their own.
  public var visibility: Moment.Visibility
  /// Whether others may see it yet: a moderator or reports may hold its texts.
  public var state: Moment.State
  /// Number of its moments that the reader sees.
  public var moments: Int
  /// Counts its changes, from 1, also those of its moments and their order.
  public var version: Int
}

extension Trip {
  /// A trip to add.
  public struct New: Sendable {
    /// The name of its owner.
    public var owner: String
    /// The title. Has at least one character.
    public var title: String
    /// The description. Default nil: none.
    public var description: String?
    /// When it starts, in seconds since 1970.
    public var started: Int
    /// When it ends. Default nil: it is open.
    public var ended: Int?
    /// Who may see it. Default: the owner.
    public var visibility = Moment.Visibility.private
    /// Why its owner alone sees it until a moderator releases it, for the audit trail. Default nil: it is shown.
    public var hold: Moderation.Decision?

    /// A trip that is open.
    public init(owner: String, title: String, started: Int) {
      (self.owner, self.title, self.started) = (owner, title, started)
    }
  }

  /// A change of one property. Several are made together, or none.
  public enum Change: Hashable, Sendable {
    /// Another title, with at least one character.
    case title(String)
    /// The description; nil removes it.
    case description(String?)
    /// Another start, in seconds since 1970.
    case started(Int)
    /// Another end, in seconds since 1970; nil opens the trip again.
    case ended(Int?)
    /// Who may see it.
    case visibility(Moment.Visibility)
    /// Its owner alone sees it until a moderator releases it; the audit trail has the decision.
    case hold(Moderation.Decision)
  }

  /// How a listing of trips is sorted.
  public enum Order: String, Sendable, CaseIterable {
    /// In the order of their titles.
    case title
    /// Most recently started first.
    case started
  }

  /// Trips with the cursor of the next page.
  public struct Page: Sendable {
    /// The trips, in the order of the listing.
    public var trips: [Trip]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
    /// For their owners alone, trips of which the catalogue's row is damaged: they are not in ``trips``. Those that have no place in the order are in the first page.
    /// ``Library/repair(_:)`` repairs them.
    public var damaged: [ID] = []
  }
}
