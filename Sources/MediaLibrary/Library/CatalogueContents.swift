internal import GRDB

/// How much a catalogue knows: what is lost with it, for a scan of the folders brings back files, but no word that a person gave them.
public struct CatalogueContents: Hashable, Codable, Sendable {
  /// Files, whatever their state.
  public var files = 0
  /// Titles and captions of files.
  public var captions = 0
  /// Collections.
  public var collections = 0
  /// Files with an owner.
  public var labels = 0

  /// Nothing.
  public init() {}

  /// Whether this is more than another in any respect.
  public func exceeds(_ other: CatalogueContents) -> Bool {
    files > other.files || captions > other.captions || collections > other.collections || labels > other.labels
  }

  /// Counts everything, as far as it can be read: a damaged table ends its own count only.
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
  }

  /// The greatest of each.
  func union(_ other: CatalogueContents) -> CatalogueContents {
    var result = self
    result.files = max(files, other.files)
    result.captions = max(captions, other.captions)
    result.collections = max(collections, other.collections)
    result.labels = max(labels, other.labels)
    return result
  }

  /// In words, for a question or a message.
  public var description: String {
    "\(files) files, \(captions) titles and captions, \(collections) collections, \(labels) files with an owner"
  }
}

extension CatalogueContents: CustomStringConvertible {}
