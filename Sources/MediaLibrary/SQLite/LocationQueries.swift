/// The statements that draw the map.
enum LocationQueries {
  private static let ofAll = "INDEXED BY file_location"
  private static let ofOwner = "INDEXED BY file_owner_location"
  private static let placed = "file.state = 1 AND file.location IS NOT NULL"
  private static let owned = placed + " AND file.owner IS NOT NULL AND file.owner = ?"
  private static let inRange = "AND file.location >= ? AND file.location < ? ORDER BY file.location"
  private static let inTimes = "AND file.location >= ? AND file.location < ? AND file.time >= ? AND file.time < ?"

  static let locations = "SELECT id, location FROM file \(ofAll) WHERE \(placed) \(inRange)"
  static let locationsOfOwner = "SELECT id, location FROM file \(ofOwner) WHERE \(owned) \(inRange)"
  /// The same of some times: all files in the range are gone through, in the index alone.
  static let locationsInTimes =
    "SELECT id, location FROM file \(ofAll) WHERE \(placed) \(inTimes) ORDER BY file.location"
  static let locationsOfOwnerInTimes =
    "SELECT id, location FROM file \(ofOwner) WHERE \(owned) \(inTimes) ORDER BY file.location"
  /// All files of some times, those without a place too: what is asked where these are few.
  static let times = """
    SELECT id, location FROM file INDEXED BY file_newest WHERE file.state = 1 AND file.time >= ? AND file.time < ? LIMIT ?
    """
  static let timesOfOwner = """
    SELECT id, location FROM file INDEXED BY file_owner
    WHERE file.state = 1 AND file.owner IS NOT NULL AND file.owner = ? AND file.time >= ? AND file.time < ? LIMIT ?
    """

  static let cells = """
    SELECT cell, \(LocationSum.columns) FROM location_cell WHERE scope = ? AND level = ? AND cell >= ? AND cell < ?
    ORDER BY cell
    """
  static let square = "SELECT \(LocationSum.columns) FROM location_cell WHERE scope = ? AND level = ? AND cell = ?"

  static let members = files(ofAll, placed)
  static let membersOfOwner = files(ofOwner, owned)

  private static func files(_ index: String, _ conditions: String) -> String {
    """
    SELECT \(FileRows.columns), file.location FROM file \(index) \(FileRows.joins)
    WHERE \(conditions) AND (file.location, file.time, file.id) > (?, ?, ?) AND file.location < ?
      AND file.time >= ? AND file.time < ? ORDER BY file.location, file.time, file.id LIMIT ?
    """
  }
}
