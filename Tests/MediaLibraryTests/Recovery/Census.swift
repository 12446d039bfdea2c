internal import Foundation
internal import GRDB
internal import Synchronization

/// What a folder still holds: every fact that can be read in any catalogue or snapshot below it, and every other content, wherever it lies.
struct Census {
  private(set) var facts: Set<String> = []
  private(set) var contents: Set<Data> = []

  init(of root: String) throws {
    // Beside, which is as fast.
    let scratch = (root as NSString).deletingLastPathComponent
    for name in FileManager.default.subpaths(atPath: root) ?? [] {
      let path = "\(root)/\(name)"
      let last = (name as NSString).lastPathComponent
      guard let data = Self.content(of: path), !data.isEmpty, last != ".writer", last != "library.json" else {
        continue
      }
      if last.hasSuffix("-shm") { continue }
      if last.hasSuffix("-wal") {
        if FileManager.default.fileExists(atPath: String(path.dropLast(4))) { continue }
      } else if last.contains("catalogue") {
        // What nobody can read may be read by somebody else.
        if let found = try Self.facts(of: path, in: scratch) {
          facts.formUnion(found)
          continue
        }
      }
      contents.insert(data)
    }
  }

  /// What this one has and another has not. Damaged bytes are no loss where there are the right ones: without the mark that ``Damage`` put behind them.
  func missing(in other: Census) -> [String] {
    let lost = contents.subtracting(other.contents).filter {
      $0.last != 0x21 || !other.contents.contains($0.dropLast())
    }
    return facts.subtracting(other.facts).sorted()
      + lost.map { String(decoding: $0.prefix(60), as: UTF8.self) }.sorted()
  }

  private static func content(of path: String) -> Data? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { return nil }
    return FileManager.default.contents(atPath: path)
  }

  /// Reads a copy of a database, so that looking changes nothing.
  /// - Returns: Nil for what is no catalogue that can be read at all.
  private static func facts(of path: String, in scratch: String) throws -> Set<String>? {
    let key = key(of: path)
    if let found = known.withLock({ $0[key] }) { return found }
    let beside = "\(scratch)/\(UUID().uuidString)"
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: beside + suffix)
    }
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: beside + suffix) } }
    guard let queue = try? DatabaseQueue(path: beside) else { return nil }
    var found: Set<String> = []
    var isReadable = false
    for (kind, sql) in queries {
      // As far as it can be read.
      try? queue.read { db in
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
          found.insert("\(kind) " + (0..<row.count).map { row[$0] as String? ?? "-" }.joined(separator: " "))
        }
        isReadable = true
      }
    }
    try? queue.close()
    let facts = isReadable || !found.isEmpty ? found : nil
    known.withLock { $0[key] = .some(facts) }
    return facts
  }

  /// The facts in databases that were read before: most commands leave most databases as they are.
  private static let known = Mutex<[Int: Set<String>?]>([:])

  /// A hash of all bytes of a database and its log.
  private static func key(of path: String) -> Int {
    var hasher = Hasher()
    for suffix in ["", "-wal"] {
      let bytes = FileManager.default.contents(atPath: path + suffix) ?? Data()
      hasher.combine(bytes.count)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  private static let path = "CAST(folder.path || '/' || file.name AS TEXT)"
  private static let queries = [
    ("row", "SELECT \(path) FROM file CROSS JOIN folder ON folder.id = file.folder"),
    (
      "text",
      """
      SELECT \(path), title, caption FROM file CROSS JOIN folder ON folder.id = file.folder
      WHERE title IS NOT NULL OR caption IS NOT NULL
      """
    ),
    (
      "label",
      """
      SELECT \(path), owner.name, collection.name FROM file CROSS JOIN folder ON folder.id = file.folder
      CROSS JOIN owner ON owner.id = file.owner LEFT JOIN collection ON collection.id = file.collection
      """
    ),
    (
      "collection",
      "SELECT owner.name, collection.name, title FROM collection CROSS JOIN owner ON owner.id = collection.owner"
    ),
    (
      "moment",
      """
      SELECT moment.id, owner.name, kind, title, caption, time, latitude, visibility, state, version FROM moment
      CROSS JOIN owner ON owner.id = moment.owner
      """
    ),
    (
      "trip",
      "SELECT trip.id, owner.name, title, description, started, ended, version FROM trip CROSS JOIN owner ON owner.id = trip.owner"
    ),
    ("member", "SELECT trip, moment, position FROM trip_moment"),
    ("facts", "SELECT hex(digest), hex(facts) FROM content"),
  ]
}
