internal import GRDB

extension Library {
  /// Numbers of what a catalogue holds, and so of what its loss would cost: a scan brings back files, but no text that a person wrote.
  public struct CatalogueContents: Hashable, Codable, Sendable {
    /// Number of files, in any state.
    public var files = 0
    /// Number of titles and captions.
    public var captions = 0
    /// Number of collections.
    public var collections = 0
    /// Number of files with an owner.
    public var labels = 0
    /// Number of moments.
    public var moments = 0
    /// Number of trips.
    public var trips = 0
    /// Number of moderation decisions in the audit trail.
    public var decisions = 0

    /// An empty catalogue.
    public init() {}

    /// Whether any of the numbers is greater than that of another catalogue.
    public func exceeds(_ other: CatalogueContents) -> Bool {
      files > other.files || captions > other.captions || collections > other.collections || labels > other.labels
        || moments > other.moments || trips > other.trips || decisions > other.decisions
    }

    /// Whether a rebuild takes this catalogue rather than another one: it holds more of what people wrote and no scan brings back, or as much of that
    /// and more files.
    package func isFuller(than other: CatalogueContents) -> Bool {
      (written, files) > (other.written, other.files)
    }

    private var written: Int { captions + collections + labels + moments + trips + decisions }

    /// Counts everything that can be read: a damaged page ends only its own count.
    init(readableIn db: Database) {
      // What cannot be read at all, such as a missing table, counts as nothing.
      _ = try? DamagedTable.read { after, limit, isTrial in
        let rows = try Row.fetchCursor(
          try db.cachedStatement(
            sql: """
              SELECT id, title IS NOT NULL, caption IS NOT NULL, owner IS NOT NULL FROM file NOT INDEXED
              WHERE id > ? ORDER BY id LIMIT ?
              """),
          arguments: [after, limit])
        var (read, last): (Library.CatalogueContents, Int64?) = (Library.CatalogueContents(), nil)
        while let row = try rows.next() {
          let (id, title, caption, owner): (Int64, Int, Int, Int) = (row[0], row[1], row[2], row[3])
          last = id
          read.files += 1
          read.captions += title + caption
          read.labels += owner
        }
        guard !isTrial else { return last }
        files += read.files
        captions += read.captions
        labels += read.labels
        return last
      }
      collections = Self.rows(of: "collection", db)
      // An earlier version has neither.
      _ = try? DamagedTable.read { after, limit, isTrial in
        let rows = try Row.fetchCursor(
          try db.cachedStatement(
            sql: """
              SELECT id, title IS NOT NULL, caption IS NOT NULL FROM moment NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?
              """), arguments: [after, limit])
        var (read, last): (Library.CatalogueContents, Int64?) = (Library.CatalogueContents(), nil)
        while let row = try rows.next() {
          let (id, title, caption): (Int64, Int, Int) = (row[0], row[1], row[2])
          last = id
          read.moments += 1
          read.captions += title + caption
        }
        guard !isTrial else { return last }
        moments += read.moments
        captions += read.captions
        return last
      }
      trips = Self.rows(of: "trip", db)
      decisions = Self.rows(of: "audit", db)
    }

    /// Counts the rows of a table that can be read.
    private static func rows(of table: String, _ db: Database) -> Int {
      var count = 0
      _ = try? DamagedTable.read { after, limit, isTrial in
        let ids = try Int64.fetchAll(
          try db.cachedStatement(sql: "SELECT id FROM \(table) NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?"),
          arguments: [after, limit])
        if !isTrial { count += ids.count }
        return ids.last
      }
      return count
    }

    /// The greater of each pair of numbers.
    func union(_ other: CatalogueContents) -> CatalogueContents {
      var result = self
      result.files = max(files, other.files)
      result.captions = max(captions, other.captions)
      result.collections = max(collections, other.collections)
      result.labels = max(labels, other.labels)
      result.moments = max(moments, other.moments)
      result.trips = max(trips, other.trips)
      result.decisions = max(decisions, other.decisions)
      return result
    }

    /// The numbers in words, for a question or a message.
    public var description: String {
      """
      \(Self.count(files, "file")), \(Self.count(captions, "title or caption", "titles or captions")), \
      \(Self.count(collections, "collection")), \(Self.count(labels, "file")) with an owner, \(Self.count(moments, "moment")), \
      \(Self.count(trips, "trip")), \(Self.count(decisions, "moderation decision"))
      """
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
      "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
  }
}

extension Library.CatalogueContents: CustomStringConvertible {}
