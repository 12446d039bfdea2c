internal import Foundation
internal import GRDB

/// The sizes of parts: the bytes of a text, and of an intact file.
struct SizeCheck: DerivedCheck {
  private(set) var problems: [MessageStore.Problem] = []
  private var sizes: [(message: Int64, position: Int, bytes: Int)] = []

  /// - Parameters:
  ///   - files: The sizes of the files that are intact.
  ///   - values: What cannot be decoded.
  init(_ db: Database, files: [Data: Int], skipping values: ValueCheck) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT message, position, bytes, digest, length(CAST(text AS BLOB)) AS length FROM part ORDER BY message, position
        """)
    while let row = try rows.next() {
      let (id, position): (Int64, Int) = (row["message"], row["position"])
      guard !values.messages.contains(id) else { continue }
      let (bytes, digest): (Int, Data?) = (row["bytes"], row["digest"])
      guard let size = row["length"] as Int? ?? digest.flatMap({ files[$0] }), size != bytes else { continue }
      sizes.append((id, position, size))
      problems.append(MessageStore.Problem(code: .derived, detail: "bytes of part \(id).\(position)"))
    }
  }

  /// Stores the sizes again, those of texts as they are by then.
  func correct(_ writer: MessageWriter) throws {
    for (id, position, bytes) in sizes {
      try writer.execute(
        "UPDATE part SET bytes = ifnull(length(CAST(text AS BLOB)), ?) WHERE message = ? AND position = ?",
        [bytes, id, position])
    }
  }
}
