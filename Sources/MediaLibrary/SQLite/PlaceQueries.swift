/// The statements that draw the map.
enum PlaceQueries {
  private static let ofAll = "INDEXED BY file_place"
  private static let ofOwner = "INDEXED BY file_owner_place"
  private static let placed = "file.state = 1 AND file.place IS NOT NULL"
  private static let owned = placed + " AND file.owner IS NOT NULL AND file.owner = ?"
  private static let inRange = "AND file.place >= ? AND file.place < ? ORDER BY file.place"
  private static let inTimes = "AND file.place >= ? AND file.place < ? AND file.time >= ? AND file.time < ?"

  static let places = "SELECT id, place FROM file \(ofAll) WHERE \(placed) \(inRange)"
  static let placesOfOwner = "SELECT id, place FROM file \(ofOwner) WHERE \(owned) \(inRange)"
  /// The same of some times: all files in the range are gone through, in the index alone.
  static let placesInTimes = "SELECT id, place FROM file \(ofAll) WHERE \(placed) \(inTimes) ORDER BY file.place"
  static let placesOfOwnerInTimes =
    "SELECT id, place FROM file \(ofOwner) WHERE \(owned) \(inTimes) ORDER BY file.place"
  /// All files of some times, those without a place too: what is asked where these are few.
  static let times = """
    SELECT id, place FROM file INDEXED BY file_newest WHERE file.state = 1 AND file.time >= ? AND file.time < ? LIMIT ?
    """
  static let timesOfOwner = """
    SELECT id, place FROM file INDEXED BY file_owner
    WHERE file.state = 1 AND file.owner IS NOT NULL AND file.owner = ? AND file.time >= ? AND file.time < ? LIMIT ?
    """

  static let squares = """
    SELECT cell, \(PlaceSum.columns) FROM place_cell WHERE scope = ? AND level = ? AND cell >= ? AND cell < ?
    ORDER BY cell
    """
  static let square = "SELECT \(PlaceSum.columns) FROM place_cell WHERE scope = ? AND level = ? AND cell = ?"

  static let members = files(ofAll, placed)
  static let membersOfOwner = files(ofOwner, owned)

  private static func files(_ index: String, _ conditions: String) -> String {
    """
    SELECT \(FileRows.columns), file.place FROM file \(index) \(FileRows.joins)
    WHERE \(conditions) AND (file.place, file.time, file.id) > (?, ?, ?) AND file.place < ?
      AND file.time >= ? AND file.time < ? ORDER BY file.place, file.time, file.id LIMIT ?
    """
  }
}
