internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// A scan in small: every step is done at once, and a file's "facts" are its content.
struct SmallScan {
  let catalogue: any MediaCatalogue & ScanIndex
  let root: String
  var settings = ScanSource.Settings()
  /// What was looked into, in order.
  private(set) var examined: [String] = []
  /// What the scan was told.
  private(set) var notices: [Notice.Kind] = []
  private var changes: [CatalogueChange] = []

  init(_ catalogue: any MediaCatalogue & ScanIndex, root: String) { (self.catalogue, self.root) = (catalogue, root) }

  /// Scans the root.
  /// - Parameter between: Called before each step.
  mutating func run(between: () -> Void = {}) throws {
    (examined, notices) = ([], [])
    var source = ScanSource([.init(root: PathBytes(root))], settings: settings, catalogue: catalogue)
    var unfinished: Set<PathBytes> = []
    while true {
      between()
      guard let step = try source.next() else { break }
      between()
      switch step {
      case .examine(let target):
        examined.append(String(target.stamp.path.description.dropFirst(root.count + 1)))
        if try !examine(target, between) { unfinished.insert(target.stamp.path.folder) }
      case .note(let change, let notice):
        notices.append(notice.kind)
        changes.append(change)
      case .folderDone(let path, let fingerprint):
        if unfinished.remove(path) == nil { changes.append(.folderDone(path, fingerprint: fingerprint)) }
      case .unchanged, .problem: break
      }
      if changes.count > 7 { try apply() }
    }
    try apply()
  }

  private mutating func apply() throws {
    try catalogue.apply(changes)
    changes = []
  }

  private mutating func examine(_ target: ScanTarget, _ between: () -> Void) throws -> Bool {
    let descriptor = target.open()
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard let before = try? FileStatus(descriptor: descriptor) else { return false }
    FileClock.wait(past: before.changed)
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    let count = max(0, read(descriptor, &buffer, buffer.count))
    var info = MediaInfo(type: .octetStream, bytes: before.bytes)
    info.title = String(decoding: buffer[..<count], as: UTF8.self)
    between()
    changes.append(
      .done(FileStamp(path: target.stamp.path, status: before), FileResult(info: info, engine: "small")))
    guard let after = try? FileStatus(descriptor: descriptor) else { return false }
    return after.bytes == before.bytes && after.modified == before.modified
  }

  /// Every file of the library with its content.
  func kept() throws -> [String] {
    var lines: [String] = []
    var after: CatalogueCursor?
    repeat {
      let page = try catalogue.files(under: PathBytes(root), after: after, limit: 100)
      for file in page.files where file.state == .done {
        lines.append("\(file.stamp.path) \(file.stamp.inode) \(try file.info()?.title ?? "")")
      }
      after = page.next
    } while after != nil
    return lines.sorted()
  }

  /// Every file of the tree with its content.
  func present() -> [String] {
    (FileManager.default.subpaths(atPath: root) ?? []).compactMap { name in
      var status = stat()
      let path = "\(root)/\(name)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      let content = FileManager.default.contents(atPath: path) ?? Data()
      return "\(path) \(status.st_ino) \(String(decoding: content, as: UTF8.self))"
    }.sorted()
  }
}

@Suite("A scan against a model", .serialized) struct ScanModelTests {
  private static let seeds: Range<UInt64> =
    0..<(ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 1_000 : 20)

  @Test(
    "R-TRAY-22: whatever changes between any two steps of a scan, the next scan brings the library in step",
    arguments: seeds)
  func randomChanges(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
    let tree = folder.path("tree")
    try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
    var random = SeededGenerator(seed: seed)
    var step = 0
    func change() {
      TreeChange.make(in: tree, step, &random)
      step += 1
    }
    for _ in 0..<25 { change() }
    var scan = SmallScan(library.database, root: tree)
    for round in 0..<3 {
      try scan.run { if random.below(3) == 0 { change() } }
      // Nothing disturbs this one.
      try scan.run()
      #expect(try scan.kept() == scan.present(), "seed \(seed), round \(round)")
      try scan.run()
      #expect(scan.examined.isEmpty, "seed \(seed), round \(round)")
      #expect(scan.notices.isEmpty, "seed \(seed), round \(round)")
      for _ in 0..<5 { change() }
    }
  }

  @Test func anUnchangedFolderIsNotComparedFileByFile() throws {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
    for name in ["tree/a/1", "tree/a/2", "tree/b/1"] { try folder.write([1], to: name) }
    var scan = SmallScan(library.database, root: folder.path("tree"))
    try scan.run()
    #expect(scan.examined == ["a/1", "a/2", "b/1"])
    for path in ["tree", "tree/a", "tree/b"] {
      #expect(try library.scanIndex.knownFolder(PathBytes(folder.path(path)))?.fingerprint != nil)
    }
    // Another recipe is another question.
    scan.settings.recipe = ScanRecipe(renditions: ["grid"])
    try scan.run()
    #expect(scan.examined.count == 3)
  }

  @Test func aFolderOfWhichNothingIsLeftVanishesWithAllBelowAndItsNeighboursStay() throws {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
    let names = ["a/1", "a/b/1", "a-b/1", "a.b/c/1", "a/\u{FF}/1", "b/1"]
    for name in names { try folder.write(Array(name.utf8), to: "tree/\(name)") }
    var scan = SmallScan(library.database, root: folder.path("tree"))
    try scan.run()
    try FileManager.default.removeItem(atPath: folder.path("tree/a"))
    try scan.run()
    #expect(scan.notices.contains(.vanished))
    #expect(try scan.kept() == scan.present())
  }

  @Test("A disk that was away and comes back under another number costs its walk alone") func disksThatComeAndGo()
    throws
  {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
    for name in ["a/1", "a/2", "b/1"] { try folder.write(Array(name.utf8), to: "tree/\(name)") }
    var scan = SmallScan(library.database, root: folder.path("tree"))
    try scan.run()
    #expect(scan.examined.count == 3)
    // As if the disk had had another number then.
    try library.database.write { db in try db.execute(sql: "UPDATE file SET device = device + 1") }
    #expect(rename(folder.path("tree"), folder.path("away")) == 0)
    #expect(mkdir(folder.path("tree"), 0o755) == 0)
    try scan.run()
    #expect(try scan.kept().isEmpty)
    #expect(rmdir(folder.path("tree")) == 0)
    #expect(rename(folder.path("away"), folder.path("tree")) == 0)
    #expect(rename(folder.path("tree/b/1"), folder.path("tree/b/2")) == 0)
    try scan.run()
    #expect(scan.examined.isEmpty)
    #expect(scan.notices.contains(.returned))
    #expect(scan.notices.contains(.moved))
    #expect(try scan.kept() == scan.present())
  }

  @Test("A new file that was given the number of a deleted one is not taken for it", arguments: [true, false])
  func numbersAreGivenAgain(isNew: Bool) throws {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
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
    var scan = SmallScan(library.database, root: folder.path("tree"))
    try scan.run()
    #expect(scan.examined == (isNew ? ["new"] : []))
    #expect(scan.notices == (isNew ? [.vanished] : [.moved]))
  }

  @Test(
    "A file that was saved beside its backup keeps its row, and neither has the other's facts", arguments: ["a~", "A"])
  func backups(name: String) throws {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
    let path = try folder.write(Array("old".utf8), to: "tree/a")
    var scan = SmallScan(library.database, root: folder.path("tree"))
    try scan.run()
    #expect(rename(path, folder.path("tree/\(name)")) == 0)
    try folder.write(Array("newer".utf8), to: "tree/a")
    try scan.run()
    #expect(try scan.kept() == scan.present())
    #expect(try library.verify().isIntact)
  }

  @Test("A folder that has gone is told once") func reportedOnce() throws {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
    for name in ["a/b/1", "a/2", "c/1"] { try folder.write([1], to: "tree/\(name)") }
    var scan = SmallScan(library.database, root: folder.path("tree"))
    try scan.run()
    #expect(rename(folder.path("tree/a"), folder.path("away")) == 0)
    try scan.run()
    #expect(scan.notices == [.vanished])
    #expect(mkdir(folder.path("tree/d"), 0o755) == 0)
    try scan.run()
    #expect(scan.notices.isEmpty)
    // It comes back, and goes again.
    #expect(rename(folder.path("away"), folder.path("tree/a")) == 0)
    try scan.run()
    #expect(scan.notices == [.returned, .returned])
    #expect(scan.examined.isEmpty)
    #expect(rename(folder.path("tree/a"), folder.path("away")) == 0)
    try scan.run()
    #expect(scan.notices == [.vanished])
    #expect(try library.verify().isIntact)
  }

  @Test("A file whose name a folder or a link has now has vanished, and a folder whose name a file has")
  func otherKinds() throws {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing)
    for name in ["a", "b", "c/1", "d"] { try folder.write(Array(name.utf8), to: "tree/\(name)") }
    var scan = SmallScan(library.database, root: folder.path("tree"))
    try scan.run()
    for name in ["a", "b"] { #expect(unlink(folder.path("tree/\(name)")) == 0) }
    try FileManager.default.removeItem(atPath: folder.path("tree/c"))
    try folder.write([7], to: "tree/a/1")
    #expect(symlink("d", folder.path("tree/b")) == 0)
    try folder.write([8, 8, 8, 8], to: "tree/c")
    try scan.run()
    #expect(try scan.kept() == scan.present())
  }
}
