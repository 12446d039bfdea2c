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
    /// Number of decisions of moderation in the audit trail.
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

    /// Counts everything that can be read: a damaged table ends only its own count.
    init(readableIn db: Database) {
      do {
        let rows = try Row.fetchCursor(
          db, sql: "SELECT title IS NOT NULL, caption IS NOT NULL, owner IS NOT NULL FROM file NOT INDEXED")
        while let row = try rows.next() {
          let (title, caption, owner): (Int, Int, Int) = (row[0], row[1], row[2])
          files += 1
          captions += title + caption
          labels += owner
        }
      } catch {
        // The rest of the table cannot be read.
      }
      do {
        let rows = try Row.fetchCursor(db, sql: "SELECT 1 FROM collection NOT INDEXED")
        while try rows.next() != nil { collections += 1 }
      } catch {
        // The rest of the table cannot be read.
      }
      do {
        let rows = try Row.fetchCursor(db, sql: "SELECT title IS NOT NULL, caption IS NOT NULL FROM moment NOT INDEXED")
        while let row = try rows.next() {
          let (title, caption): (Int, Int) = (row[0], row[1])
          moments += 1
          captions += title + caption
        }
      } catch {
        // The rest of the table cannot be read, or an earlier version wrote the catalogue.
      }
      do {
        let rows = try Row.fetchCursor(db, sql: "SELECT 1 FROM trip NOT INDEXED")
        while try rows.next() != nil { trips += 1 }
      } catch {
        // As for moments.
      }
      do {
        let rows = try Row.fetchCursor(db, sql: "SELECT 1 FROM audit NOT INDEXED")
        while try rows.next() != nil { decisions += 1 }
      } catch {
        // As for moments.
      }
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
      \(Self.count(trips, "trip")), \(Self.count(decisions, "decision")) of moderation
      """
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
      "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
  }
}

extension Library.CatalogueContents: CustomStringConvertible {}
