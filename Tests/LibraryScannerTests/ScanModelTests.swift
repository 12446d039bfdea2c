internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryScanner
internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A scan compared with a model", .serialized) struct ScanModelTests {
  private static let seeds: Range<UInt64> =
    0..<(ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 1_000 : 20)

  @Test(
    "R-TRAY-22: after any changes between any two steps of a scan, the next scan brings the library up to date",
    arguments: seeds)
  func randomChanges(seed: UInt64) async throws {
    try await withTaskExecutorPreference(QueueExecutor()) { try await Self.compare(seed: seed) }
  }

  private static func compare(seed: UInt64) async throws {
    var scan = try ScannedTree()
    let (tree, state) = (scan.root, Locked((random: SeededGenerator(seed: seed), step: 0)))
    @Sendable func change() {
      state.withLock { state in
        TreeChange.make(in: tree, state.step, &state.random)
        state.step += 1
      }
    }
    let disturb: @Sendable () -> Void = { if state.withLock({ $0.random.below(3) }) == 0 { change() } }
    // One file and few events at a time, so that most of the scan comes after a change.
    (scan.options.jobs, scan.options.maxPendingEvents) = (1, 14)
    for _ in 0..<25 { change() }
    for round in 0..<3 {
      scan.options.willTakeStep = disturb
      scan.executor.willRead(disturb)
      try await scan.run()
      // Nothing disturbs this one.
      scan.options.willTakeStep = nil
      scan.executor.willRead(nil)
      try await scan.run()
      #expect(try scan.kept() == scan.present(), "seed \(seed), round \(round)")
      try await scan.run()
      #expect(scan.examined.isEmpty, "seed \(seed), round \(round)")
      #expect(scan.notices.isEmpty, "seed \(seed), round \(round)")
      for _ in 0..<5 { change() }
    }
  }

  @Test("Files of an unchanged folder are not compared one by one")
  func anUnchangedFolderIsNotComparedFileByFile() async throws {
    var scan = try ScannedTree()
    let (folder, library) = (scan.folder, scan.library)
    for name in ["tree/a/1", "tree/a/2", "tree/b/1"] { try folder.write([1], to: name) }
    try await scan.run()
    #expect(scan.examined == ["a/1", "a/2", "b/1"])
    for path in ["tree", "tree/a", "tree/b"] {
      #expect(try library.scanIndex.knownFolder(PathBytes(folder.path(path)))?.fingerprint != nil)
    }
    // Another recipe is another question.
    scan.options.renditions = ["grid"]
    try await scan.run()
    #expect(scan.examined.count == 3)
  }

  @Test("A removed folder vanishes with all below it, and folders with similar names stay")
  func aFolderOfWhichNothingIsLeftVanishesWithAllBelowAndItsNeighboursStay() async throws {
    var scan = try ScannedTree()
    let folder = scan.folder
    let names = ["a/1", "a/b/1", "a-b/1", "a.b/c/1", "a/\u{FF}/1", "b/1"]
    for name in names { try folder.write(Array(name.utf8), to: "tree/\(name)") }
    try await scan.run()
    try FileManager.default.removeItem(atPath: folder.path("tree/a"))
    try await scan.run()
    #expect(scan.notices.contains(.vanished))
    #expect(try scan.kept() == scan.present())
  }

  @Test("A disk that is mounted again with another device number costs only a walk") func disksThatComeAndGo()
    async throws
  {
    var scan = try ScannedTree()
    let (folder, library) = (scan.folder, scan.library)
    for name in ["a/1", "a/2", "b/1"] { try folder.write(Array(name.utf8), to: "tree/\(name)") }
    try await scan.run()
    #expect(scan.examined.count == 3)
    // As if the disk had had another number then.
    try library.database.write { db in try db.execute(sql: "UPDATE file SET device = device + 1") }
    #expect(rename(folder.path("tree"), folder.path("away")) == 0)
    #expect(mkdir(folder.path("tree"), 0o755) == 0)
    try await scan.run()
    #expect(try scan.kept().isEmpty)
    #expect(rmdir(folder.path("tree")) == 0)
    #expect(rename(folder.path("away"), folder.path("tree")) == 0)
    #expect(rename(folder.path("tree/b/1"), folder.path("tree/b/2")) == 0)
    try await scan.run()
    #expect(scan.examined.isEmpty)
    #expect(scan.notices.contains(.returned))
    #expect(scan.notices.contains(.moved))
    #expect(try scan.kept() == scan.present())
  }

  @Test("A new file with the inode number of a deleted one is another file", arguments: [true, false])
  func numbersAreGivenAgain(isNew: Bool) async throws {
    var scan = try ScannedTree()
    let (folder, library) = (scan.folder, scan.library)
    try folder.write([1], to: "tree/new")
    let handle = try FolderHandle.open(Array(folder.path("tree").utf8))
    guard let birth = handle.birth(Array("new".utf8)[...]) else {
      print("this file system does not say when a file came into being")
      return
    }
    // A file that was there before, as large and as old; or this one itself under its old name.
    var old = try #require(FileStamp(at: PathBytes(folder.path("tree/new"))))
    old.path = PathBytes(folder.path("tree/old"))
    if isNew { old.changed = birth - 1 }
    try library.scanIndex.apply([
      .done(old, FileResult(info: MediaInfo(type: .octetStream, bytes: 1), engine: "small"))
    ])
    try await scan.run()
    #expect(scan.examined == (isNew ? ["new"] : []))
    #expect(scan.notices == (isNew ? [.vanished] : [.moved]))
  }

  @Test(
    "A file saved next to its backup keeps its row, and neither gets the other's facts", arguments: ["a~", "A"])
  func backups(name: String) async throws {
    var scan = try ScannedTree()
    let (folder, library) = (scan.folder, scan.library)
    let path = try folder.write(Array("old".utf8), to: "tree/a")
    try await scan.run()
    #expect(rename(path, folder.path("tree/\(name)")) == 0)
    try folder.write(Array("newer".utf8), to: "tree/a")
    try await scan.run()
    #expect(try scan.kept() == scan.present())
    #expect(try library.verify().isIntact)
  }

  @Test("A folder that has vanished is reported once") func reportedOnce() async throws {
    var scan = try ScannedTree()
    let (folder, library) = (scan.folder, scan.library)
    for name in ["a/b/1", "a/2", "c/1"] { try folder.write([1], to: "tree/\(name)") }
    try await scan.run()
    #expect(rename(folder.path("tree/a"), folder.path("away")) == 0)
    try await scan.run()
    #expect(scan.notices == [.vanished])
    #expect(mkdir(folder.path("tree/d"), 0o755) == 0)
    try await scan.run()
    #expect(scan.notices.isEmpty)
    // It comes back, and goes again.
    #expect(rename(folder.path("away"), folder.path("tree/a")) == 0)
    try await scan.run()
    #expect(scan.notices == [.returned, .returned])
    #expect(scan.examined.isEmpty)
    #expect(rename(folder.path("tree/a"), folder.path("away")) == 0)
    try await scan.run()
    #expect(scan.notices == [.vanished])
    #expect(try library.verify().isIntact)
  }

  @Test("A file has vanished if a folder or a link has its name, and a folder if a file has its name")
  func otherKinds() async throws {
    var scan = try ScannedTree()
    let folder = scan.folder
    for name in ["a", "b", "c/1", "d"] { try folder.write(Array(name.utf8), to: "tree/\(name)") }
    try await scan.run()
    for name in ["a", "b"] { #expect(unlink(folder.path("tree/\(name)")) == 0) }
    try FileManager.default.removeItem(atPath: folder.path("tree/c"))
    try folder.write([7], to: "tree/a/1")
    #expect(symlink("d", folder.path("tree/b")) == 0)
    try folder.write([8, 8, 8, 8], to: "tree/c")
    try await scan.run()
    #expect(try scan.kept() == scan.present())
  }
}
