internal import FileSupport
internal import Foundation
internal import Testing

@testable internal import MediaLibrary

/// Every damage and a third of the commands over it, in turn, and some pairs of damages. `MEDIATOOL_FULL=1` takes all commands and pairs, and each command twice.
@Suite("What can be recovered before a command can be recovered after it", .serialized) struct RecoveryTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"

  /// Two things at a time that hide each other.
  private static let pairs: [[Damage]] = [
    [.catalogueMissing, .copyEmpty], [.catalogueMissing, .copyMissing], [.catalogueMissing, .snapshotDamaged],
    [.catalogueMissing, .snapshotNewer], [.catalogueMissing, .markerMissing], [.garbageHeader, .copyEmpty],
    [.foreignDatabase, .snapshotForeign], [.rowsDeleted, .snapshotEmpty], [.dataMissing, .renditionsMissing],
    [.renditionsMissing, .copyRenditionsMissing], [.markerMissing, .copyMarkerMissing],
  ]

  /// The commands that are run after two damages.
  private static let afterPairs: [RecoveryVerb] = [
    .scanCopy, .read, .repair, .repairCopy, .repairAdopting, .rebuildCopy, .rebuildCopyAnyway, .eraseCopy,
  ]

  private static var all: [[Damage]] {
    guard isFull else { return Damage.allCases.map { [$0] } + pairs }
    let all = Damage.allCases
    return all.map { [$0] } + all.indices.flatMap { one in all[(one + 1)...].map { [all[one], $0] } }
  }

  /// The commands that are run after some damages: all of them in the full form. In the quick one, a third of them in turn after one damage.
  private static func verbs(after damages: [Damage], _ index: Int) -> [RecoveryVerb] {
    if isFull { return RecoveryVerb.allCases }
    guard damages.count == 1 else { return afterPairs }
    return RecoveryVerb.allCases.indices.filter { $0 % 3 == index % 3 }.map { RecoveryVerb.allCases[$0] }
  }

  @Test("R-MYM-23: no command destroys readable rows, captions or bytes, whatever is damaged")
  func nothingIsLost() throws {
    let world = try RecoveryWorld()
    for (index, damages) in Self.all.enumerated() {
      try world.reset()
      // What is gone cannot be damaged as well.
      for damage in damages { try? damage.happen(to: world) }
      let before = try Census(of: world.root)
      try world.keep()
      for verb in Self.verbs(after: damages, index) {
        try world.reset(to: .kept)
        var outcome = "no error"
        for _ in 0..<(Self.isFull ? 2 : 1) { do { try verb.run(in: world) } catch { outcome = "\(error)" } }
        let lost = before.missing(in: try Census(of: world.root)).filter { !verb.erases($0) }
        #expect(lost == [], "\(damages) \(verb): \(outcome)")
      }
    }
  }

  @Test("R-MYM-23: after any damage, a rebuild restores every row of the backup")
  func everythingComesBack() throws {
    let world = try RecoveryWorld()
    for damage in Damage.allCases where damage != .newerSchema {
      try world.reset()
      try damage.happen(to: world)
      try RecoveryVerb.rebuildAdopting.run(in: world)
      let library = try Library.open(at: world.location, for: .reading)
      defer { try? library.close() }
      for index in 0..<7 where index != 5 {
        let file = try library.catalogue.file(at: PathBytes("/r/\(index).jpg"))
        #expect(file?.caption == "caption \(index)", "\(damage) \(index)")
      }
      #expect(try library.verify().problems.keys.filter { $0 != "renditionOrphan" } == [], "\(damage)")
    }
  }

  private func code(_ verb: RecoveryVerb, in world: RecoveryWorld) -> LibraryError.Code? {
    do {
      try verb.run(in: world)
      return nil
    } catch {
      return (error as? LibraryError)?.code
    }
  }

  @Test(
    "An unusable catalogue is an error with a stable code, for every command but a rebuild",
    arguments: [
      (.catalogueMissing, .catalogueMissing), (.catalogueMissingButLog, .catalogueMissing),
      (.dataMissing, .catalogueMissing),
      (.catalogueEmpty, .corrupt), (.garbageHeader, .notALibrary), (.foreignDatabase, .notALibrary),
      (.newerSchema, .newerSchema), (.folderTableDropped, .corrupt), (.renditionTableDropped, .corrupt),
      (.indexDropped, .corrupt), (.triggerDropped, .corrupt),
    ] as [(Damage, LibraryError.Code)])
  func codes(damage: Damage, expected: LibraryError.Code) throws {
    let world = try RecoveryWorld()
    for verb in [.scan, .scanCopy, .read, .verify, .verifyCopy, .repair, .repairCopy, .erase, .eraseCopy]
      as [RecoveryVerb]
    {
      try world.reset()
      try damage.happen(to: world)
      #expect(code(verb, in: world) == expected, "\(verb)")
    }
  }

  @Test(
    "A folder that is not the copy is refused, unless it is named as the new copy",
    arguments: [.copyMissing, .copyEmpty, .copyForeign] as [Damage])
  func copies(damage: Damage) throws {
    let world = try RecoveryWorld()
    for verb in [.scanCopy, .verifyCopy, .repairCopy, .rebuildCopy, .rebuildCopyAnyway, .eraseCopy] as [RecoveryVerb] {
      try world.reset()
      try damage.happen(to: world)
      #expect(code(verb, in: world) == .noCopy, "\(verb)")
    }
    #expect(code(.repairAdopting, in: world) == nil)
    #expect(code(.verifyCopy, in: world) == nil)
    #expect(try Snapshot.all(in: world.copy).count == 1)
  }

  @Test("The copy of another library is refused") func otherCopy() throws {
    let (world, other) = (try RecoveryWorld(), try RecoveryWorld())
    var options = Library.Options()
    options.copy = other.copy
    for access in [Library.Access.reading, .writing, .creating] {
      #expect { try Library.open(at: world.location, for: access, options: options) } throws: {
        ($0 as? LibraryError)?.code == .otherCopy
      }
    }
    options.copy = world.location.data
    #expect { try Library.open(at: world.location, for: .writing, options: options) } throws: {
      ($0 as? LibraryError)?.code == .invalidRequest
    }
  }

  @Test("A rebuild that would lose rows must be accepted, and states the loss")
  func losses() throws {
    let world = try RecoveryWorld()
    for (damages, verb) in [
      ([.garbageHeader], .rebuild), ([.catalogueMissing], .rebuild), ([.foreignDatabase], .rebuild),
      ([.catalogueMissing, .snapshotDamaged], .rebuildCopy), ([.catalogueMissing, .snapshotForeign], .rebuildCopy),
      ([.folderTableDropped, .snapshotEmpty], .rebuildCopy), ([.catalogueEmpty, .snapshotNewer], .rebuildCopy),
    ] as [([Damage], RecoveryVerb)] {
      try world.reset()
      for damage in damages { try damage.happen(to: world) }
      // Reading a database makes its log, empty, and the index of that.
      func paths() -> [String]? {
        FileManager.default.subpaths(atPath: world.root)?.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
          .sorted()
      }
      let before = paths()
      #expect(code(verb, in: world) == .wouldLose, "\(damages)")
      #expect(paths() == before, "\(damages)")
    }
    try world.reset()
    try Damage.newerSchema.happen(to: world)
    #expect(code(.rebuildCopyAnyway, in: world) == .newerSchema)
  }
}
