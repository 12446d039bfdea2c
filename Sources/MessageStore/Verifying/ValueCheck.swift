internal import Foundation
internal import GRDB

/// Finds values that no version stores: of another storage class than their column has, and texts that are not UTF-8. The state of a message with such a
/// value is not decoded.
struct ValueCheck {
  private(set) var problems: [MessageStore.Problem] = []
  /// Messages with such a value in their row, or in a row that belongs to them.
  private(set) var messages: Set<Int64> = []
  /// Threads with such a value.
  private(set) var threads: Set<Int64> = []

  /// Tables, each with the columns that identify a row.
  private static let tables = [
    ("setting", ["name"]), ("thread", ["id"]), ("message", ["id"]), ("part", ["message", "position"]),
    ("recipient", ["message", "position"]), ("smsReference", ["message"]), ("draft", ["id"]), ("draftFile", ["draft"]),
    ("outbox", ["id"]), ("gone", ["ends"]), ("segment", ["ends"]), ("verdict", ["time"]), ("usage", ["id"]),
  ]

  init(_ db: Database) throws {
    for (table, key) in Self.tables { try check(table, key, db) }
  }

  private mutating func check(_ table: String, _ key: [String], _ db: Database) throws {
    let columns = try Row.fetchAll(
      db, sql: "SELECT name, type, \"notnull\" FROM pragma_table_info(?)", arguments: [table]
    )
    .map { (name: $0[0] as String, type: $0[1] as String, isRequired: $0[2] as Bool) }
    let keys = key.map { "CAST(\($0) AS TEXT)" }
    let values = columns.flatMap { column in
      let null = column.isRequired || key.contains(column.name) ? "" : ", 'null'"
      return [
        "typeof(\(column.name)) IN (\(Self.classes(of: column.type))\(null))",
        column.type == "TEXT" ? "CAST(\(column.name) AS BLOB)" : "NULL",
      ]
    }
    let rows = try Row.fetchCursor(db, sql: "SELECT \((keys + values).joined(separator: ", ")) FROM \(table)")
    while let row = try rows.next() {
      for (index, column) in columns.enumerated() {
        let place = keys.count + 2 * index
        let text: Data? = row[place + 1]
        guard row[place] as Bool == false || text.map({ String(validating: $0, as: UTF8.self) == nil }) == true else {
          continue
        }
        let name = (0..<keys.count).map { row[$0] as String? ?? "" }
        report("\(table) \(name.joined(separator: ".")): the value of \(column.name) cannot be read")
        guard let id = name.first.flatMap({ Int64($0) }) else { continue }
        if key.first == "message" || table == "message" { messages.insert(id) }
        if table == "thread" { threads.insert(id) }
      }
    }
  }

  private mutating func report(_ detail: String) {
    problems.append(MessageStore.Problem(code: .unreadable, detail: detail))
  }

  /// The storage classes that a column of a declared type has, in SQL.
  private static func classes(of type: String) -> String {
    switch type {
    case "INTEGER": "'integer'"
    case "REAL": "'real', 'integer'"
    case "BLOB": "'blob'"
    default: "'text'"
    }
  }
}
