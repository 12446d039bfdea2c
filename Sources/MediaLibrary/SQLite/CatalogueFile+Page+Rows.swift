internal import GRDB

extension CatalogueFile.Page {
  /// Appends the file of a row. A row that cannot be decoded is noted in ``damaged`` instead: one damaged value does not cost the page.
  /// - Returns: Whether it was appended.
  @discardableResult
  mutating func append(_ row: Row) throws -> Bool {
    do {
      files.append(try FileRows.file(row))
      return true
    } catch let error as DatabaseError {
      throw error
    } catch {
      damaged.append(FileID(rawValue: row[0]))
      return false
    }
  }
}
