/// The statements that draw the map.
enum PlaceQueries {
  static let places = """
    SELECT id, place FROM file INDEXED BY file_place
    WHERE state = 1 AND place IS NOT NULL AND place >= ? AND place < ? ORDER BY place
    """
  static let placesOfOwner = """
    SELECT id, place FROM file INDEXED BY file_owner_place
    WHERE state = 1 AND place IS NOT NULL AND owner IS NOT NULL AND owner = ? AND place >= ? AND place < ? ORDER BY place
    """
  static let squares = """
    SELECT cell, files, x, y FROM place_cell WHERE scope = ? AND level = ? AND cell >= ? AND cell < ? ORDER BY cell
    """
  static let members = """
    SELECT \(FileRows.columns), file.place FROM file INDEXED BY file_place \(FileRows.joins)
    WHERE file.state = 1 AND file.place IS NOT NULL AND (file.place, file.id) > (?, ?) AND file.place < ?
    ORDER BY file.place, file.id LIMIT ?
    """
  static let membersOfOwner = """
    SELECT \(FileRows.columns), file.place FROM file INDEXED BY file_owner_place \(FileRows.joins)
    WHERE file.state = 1 AND file.place IS NOT NULL AND file.owner IS NOT NULL AND file.owner = ?
      AND (file.place, file.id) > (?, ?) AND file.place < ?
    ORDER BY file.place, file.id LIMIT ?
    """
}
