internal import Foundation
internal import GRDB

/// Something that happens to a library.
enum Damage: String, CaseIterable, Sendable {
  case none
  case catalogueMissing
  case catalogueMissingButLog
  case catalogueEmpty
  case catalogueTruncated
  case garbageHeader
  case foreignDatabase
  case newerSchema
  case olderSchema
  case folderTableDropped
  case renditionTableDropped
  case indexDropped
  case triggerDropped
  case factsDamaged
  case rowsDeleted
  case renditionsMissing
  case renditionsDamaged
  case originalsMissing
  case originalsDamaged
  case dataMissing
  case copyMissing
  case copyEmpty
  case copyForeign
  case copyRenditionsMissing
  case snapshotMissing
  case snapshotDamaged
  case snapshotEmpty
  case snapshotForeign
  case snapshotNewer
  case logMissing
  case logLeftOver
  case markerMissing
  case copyMarkerMissing
  case draftDamaged

  func happen(to world: RecoveryWorld) throws {
    let catalogue = world.path("data/catalogue.sqlite")
    switch self {
    case .none: break
    case .catalogueMissing: try remove(catalogue, with: ["", "-wal", "-shm"])
    case .catalogueMissingButLog: try remove(catalogue, with: ["", "-shm"])
    case .catalogueEmpty:
      try remove(catalogue, with: ["-wal", "-shm"])
      try Data().write(to: URL(fileURLWithPath: catalogue))
    case .catalogueTruncated:
      try remove(catalogue, with: ["-wal", "-shm"])
      try change(catalogue) { $0.removeLast($0.count * 2 / 5) }
    case .garbageHeader: try change(catalogue) { $0.replaceSubrange(0..<100, with: Data(repeating: 0x5A, count: 100)) }
    case .foreignDatabase:
      try remove(catalogue, with: ["", "-wal", "-shm"])
      try Self.makeForeign(catalogue)
    case .newerSchema: try execute("INSERT INTO grdb_migrations VALUES ('9999')", in: catalogue)
    case .olderSchema: try execute("DELETE FROM grdb_migrations", in: catalogue)
    case .folderTableDropped: try execute("PRAGMA foreign_keys = OFF; DROP TABLE folder", in: catalogue)
    case .renditionTableDropped: try execute("PRAGMA foreign_keys = OFF; DROP TABLE rendition", in: catalogue)
    case .indexDropped: try execute("DROP INDEX rendition_address", in: catalogue)
    case .triggerDropped: try execute("DROP TRIGGER file_worded", in: catalogue)
    case .factsDamaged: try execute("UPDATE content SET facts = x'00FF00', digest = NULL", in: catalogue)
    case .rowsDeleted: try execute("DELETE FROM rendition; DELETE FROM file; DELETE FROM garbage", in: catalogue)
    case .renditionsMissing: try remove(world.path("cache/renditions"))
    case .renditionsDamaged: try damageAll(below: world.path("cache/renditions"))
    case .originalsMissing: try remove(world.path("data/originals"))
    case .originalsDamaged:
      try damageAll(below: world.path("data/originals"))
      try damageAll(below: world.path("copy/originals"))
    case .dataMissing: try remove(world.path("data"))
    case .copyMissing: try remove(world.path("copy"))
    case .copyEmpty:
      try remove(world.path("copy"))
      try FileManager.default.createDirectory(atPath: world.path("copy"), withIntermediateDirectories: false)
    case .copyForeign:
      try remove(world.path("copy"))
      try FileManager.default.createDirectory(atPath: world.path("copy"), withIntermediateDirectories: false)
      try Data("a letter".utf8).write(to: URL(fileURLWithPath: world.path("copy/letter.txt")))
    case .copyRenditionsMissing: try remove(world.path("copy/renditions"))
    case .snapshotMissing: for path in try snapshots(of: world) { try remove(path) }
    case .snapshotDamaged:
      for path in try snapshots(of: world) {
        try change(path) { bytes in
          for index in bytes.indices where index > 100 && index % 3 == 0 { bytes[index] ^= 0x5A }
        }
      }
    case .snapshotEmpty: for path in try snapshots(of: world) { try Data().write(to: URL(fileURLWithPath: path)) }
    case .snapshotForeign:
      for path in try snapshots(of: world) {
        try remove(path)
        try Self.makeForeign(path)
      }
    case .snapshotNewer:
      for path in try snapshots(of: world) { try execute("INSERT INTO grdb_migrations VALUES ('9999')", in: path) }
    case .logMissing: try remove(catalogue, with: ["-wal", "-shm"])
    case .logLeftOver:
      try remove(catalogue, with: ["-shm"])
      try Data(repeating: 0x37, count: 9_000).write(to: URL(fileURLWithPath: catalogue + "-wal"))
    case .markerMissing: try remove(world.path("data/library.json"))
    case .copyMarkerMissing: try remove(world.path("copy/library.json"))
    case .draftDamaged:
      for name in FileManager.default.subpaths(atPath: world.path("data/drafts")) ?? [] where name.hasSuffix(".json") {
        try change(world.path("data/drafts/\(name)")) { $0.removeLast(9) }
      }
    }
  }

  /// The files of the catalogue as it was backed up.
  private func snapshots(of world: RecoveryWorld) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: world.path("copy"))
      .filter { $0.hasPrefix("catalogue") }.map { world.path("copy/\($0)") }
  }

  private func remove(_ path: String, with suffixes: [String] = [""]) throws {
    for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private func change(_ path: String, _ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    body(&bytes)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  private func damageAll(below folder: String) throws {
    for name in FileManager.default.subpaths(atPath: folder) ?? [] {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      if !isFolder.boolValue { try change("\(folder)/\(name)") { $0.append(0x21) } }
    }
  }

  private func execute(_ sql: String, in path: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
  }

  private static func makeForeign(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE address (name TEXT); INSERT INTO address VALUES ('somebody')")
    }
    try queue.close()
  }
}
