internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Damaged decisions of moderation") struct ModerationDamageTests {
  private func makeLibrary() throws -> TestLibrary {
    let test = try TestLibrary(copy: true)
    try test.catalogue.apply((1...4).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), digest: $0) })
    let moderation = test.library.moderation
    try moderation.block(#require(TestLibrary.digest(1)), reason: "law", by: "mod", at: 1)
    try moderation.quarantine([test.id("/r/2.jpg")], reason: "rude", by: "mod", at: 1)
    try moderation.record(Moderation.Verdict(#require(TestLibrary.digest(3)), .infected, detail: "Eicar", at: 1))
    _ = try moderation.report(test.id("/r/4.jpg"), by: "bob", reason: "r", at: 1, threshold: nil)
    return test
  }

  private func hidden(_ library: Library) throws -> [String] {
    try library.catalogue.files(of: .quarantined, after: nil, limit: 9).files.map(\.path).sorted()
  }

  @Test(
    "A damaged value is reported, and a repair shows no file that was hidden",
    arguments: [
      "UPDATE verdict SET state = 9", "UPDATE verdict SET time = 'x'", "UPDATE file_flag SET flag = 7",
      "UPDATE file_flag SET actor = x'00'", "UPDATE blocked SET digest = x'00'", "UPDATE blocked SET time = 'soon'",
      "UPDATE report SET reason = x'00'", "DROP TRIGGER file_moderated", "DROP INDEX verdict_due",
      "DROP TABLE moderation_change", "UPDATE file SET state = 1 WHERE name = CAST('2.jpg' AS BLOB)",
      "PRAGMA recursive_triggers = OFF; DROP TRIGGER content_unblocked; DELETE FROM blocked",
    ])
  func repaired(sql: String) throws {
    let test = try makeLibrary()
    let path = test.folder.path("data/catalogue.sqlite")
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
    try test.library.close()
    var options = test.library.options
    options.opensDamaged = true
    let library = try Library.open(at: test.library.location, for: .writing, options: options)
    #expect(try library.verify().isIntact == false)
    let report = try library.repair()
    #expect(report.problems.values.reduce(0, +) == report.repaired)
    #expect(try library.verify().isIntact)
    #expect(try hidden(library) == ["/r/1.jpg", "/r/2.jpg", "/r/3.jpg"])
  }

  @Test(
    "R-MYM-26: a damaged page of decisions shows no file that was hidden, and the trail has what the snapshot has",
    arguments: ["blocked", "verdict", "file_flag", "report", "audit"])
  func damagedPage(table: String) throws {
    let test = try TestLibrary(copy: true)
    let numbers = 1...300
    try test.catalogue.apply(numbers.map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), digest: $0) })
    let moderation = test.library.moderation
    let reason = String(repeating: "why ", count: 20)
    for number in numbers {
      let digest = try #require(TestLibrary.digest(number))
      let id = try test.id("/r/\(number).jpg")
      switch number % 3 {
      case 0: _ = try moderation.block(digest, reason: reason, by: "mod", at: 1)
      case 1: try moderation.record(Moderation.Verdict(digest, .infected, detail: reason, at: 1))
      default: try moderation.quarantine([id], reason: reason, by: "mod", at: 1)
      }
      _ = try moderation.report(id, by: "bob", reason: reason, at: 1, threshold: nil)
    }
    #expect(try moderation.audit(after: nil, limit: 1_000).entries.count >= 200)
    let saved = try moderation.audit(after: nil, limit: 1_000).entries
    _ = try test.library.backUp()
    let (location, copy) = (test.library.location, try #require(test.library.options.copy))
    try test.library.close()
    try PagedLibrary.damage([table], of: location.catalogue)
    let candidate = CatalogueCandidate(in: location)
    let snapshot = try #require(try Snapshot.all(in: copy).first)
    let (contents, report) = try candidate.recover(from: location.catalogue, and: [snapshot.path], after: 300)
    #expect(contents.files == 300)
    #expect(report.mayLackDecisions)
    #expect(contents.decisions == saved.count)
    let hidden = try CatalogueProbe(path: candidate.path).read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM file WHERE state = \(CatalogueFile.State.quarantined.sql)")
    }
    #expect(hidden == 300)
    let reports = try CatalogueProbe(path: candidate.path).read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM report")
    }
    #expect(reports == 300)
    try candidate.remove()
  }

  /// Blocks contents before and after a first snapshot, ends one block before the second, and damages the catalogue's page of blocks.
  /// - Parameter leaf: The leaf page of blocks in the second snapshot that is damaged.
  /// - Returns: The numbers of the contents that are blocked afterwards.
  private func recoveredBlocks(leaf: Int?) throws -> Set<Int> {
    let test = try TestLibrary(copy: true)
    let moderation = test.library.moderation
    let reason = String(repeating: "why ", count: 20)
    func block(_ numbers: ClosedRange<Int>) throws {
      for number in numbers {
        _ = try moderation.block(#require(TestLibrary.digest(number)), reason: reason, by: "mod", at: 1)
      }
    }
    try block(1...120)
    try test.library.backUp()
    try block(121...240)
    _ = try moderation.unblock(#require(TestLibrary.digest(60)), by: "mod", at: 2)
    try test.library.backUp()
    let location = test.library.location
    let copy = try #require(test.library.options.copy)
    try test.library.close()
    try PagedLibrary.damage(["blocked"], of: location.catalogue)
    let snapshots = try Snapshot.all(in: copy).map(\.path)
    #expect(snapshots.count == 2)
    if let leaf { try PagedLibrary.damage(["blocked"], of: #require(snapshots.first), leaf: leaf) }
    let candidate = CatalogueCandidate(in: location)
    defer { try? candidate.remove() }
    let (_, report) = try candidate.recover(from: location.catalogue, and: snapshots, after: 300)
    #expect(report.mayLackDecisions)
    let digests = try CatalogueProbe(path: candidate.path).read { db in
      try Data.fetchAll(db, sql: "SELECT digest FROM blocked")
    }
    return Set(digests.compactMap { $0.first.map { Int($0) } })
  }

  @Test("R-MYM-26: a damaged page of blocks in the latest snapshot costs no blocks of its other pages")
  func damagedPageOfSnapshot() throws {
    let blocked = try recoveredBlocks(leaf: 1)
    #expect(blocked.isSuperset(of: (1...120).filter { $0 != 60 }), "the earlier snapshot has these")
    #expect(blocked.count > 180, "\(blocked.sorted())")
    let later = try recoveredBlocks(leaf: 5)
    #expect(later.isSuperset(of: (1...120).filter { $0 != 60 }), "the earlier snapshot has these")
    #expect(later.count > 180, "\(later.sorted())")
  }

  @Test("A block that was ended before the latest snapshot does not come back from an earlier one") func endedBlock()
    throws
  {
    #expect(try recoveredBlocks(leaf: nil) == Set(1...240).subtracting([60]))
  }

  @Test("A rebuild from a snapshot keeps blocks, flags, verdicts, reports and the audit trail") func rebuilt() throws {
    let test = try makeLibrary()
    _ = try test.library.backUp()
    let entries = try test.library.moderation.audit(after: nil, limit: 9).entries
    try test.library.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: test.folder.path("data/catalogue.sqlite" + suffix))
    }
    let (library, _) = try Library.rebuild(
      at: test.library.location, options: test.library.options, accepting: { _ in true }, { _ in })
    #expect(try hidden(library) == ["/r/1.jpg", "/r/2.jpg", "/r/3.jpg"])
    #expect(entries.count == 3)
    #expect(try library.moderation.audit(after: nil, limit: 9).entries == entries)
    #expect(try library.moderation.reports(after: nil, limit: 9).reports.map(\.reader) == ["bob"])
    #expect(try library.moderation.verdict(of: #require(TestLibrary.digest(3)))?.detail == "Eicar")
    #expect(try library.verify().isIntact)
  }
}
