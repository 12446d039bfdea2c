internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaModel
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Erasures that something prevents", .timeLimit(.minutes(20))) struct WipingTests {
  /// A library with a file of the name "zebra", and another connection that reads the state before it is erased.
  private struct Hindered {
    let test: TestLibrary
    let reader: DatabaseQueue
    let report: ErasureRequest.Report

    init() throws {
      test = try TestLibrary()
      try test.catalogue.apply([TestLibrary.done("/r/zebra.jpg", inode: 1), TestLibrary.done("/r/okapi.jpg", inode: 2)])
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      reader = try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite"), configuration: configuration)
      try reader.inDatabase { db in
        try db.beginTransaction(.deferred)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM file") == 2)
      }
      report = try test.library.erase(.file(test.id("/r/zebra.jpg")))
    }

    func endReading() throws {
      try reader.inDatabase { db in try db.commit() }
      try reader.close()
    }
  }

  /// The files of a library that contain some bytes.
  private func files(of folder: TemporaryFolder, holding text: String) -> [String] {
    (FileManager.default.subpaths(atPath: folder.url.path) ?? []).filter {
      FileManager.default.contents(atPath: folder.path($0))?.range(of: Data(text.utf8)) != nil
    }
  }

  @Test("R-MYM-24: what a reader prevented is reported, and the next write after it has ended finishes it")
  func finishedByAWrite() throws {
    let hindered = try Hindered()
    #expect(hindered.report.notWiped == .reader)
    #expect(!hindered.report.isWiped)
    try hindered.test.library.close()
    // Nobody waits an hour for the reader, and then the test's time limit is over.
    var options = Library.Options()
    options.patience = 3_600
    options.wipingInterval = .zero
    let library = try Library.open(at: hindered.test.library.location, for: .writing, options: options)
    try library.catalogue.setText(of: hindered.test.id("/r/okapi.jpg", in: library), title: "one", caption: nil)
    #expect(!files(of: hindered.test.folder, holding: "zebra").isEmpty)
    #expect(try library.catalogue.isToBeWiped())
    try hindered.endReading()
    try library.catalogue.setText(of: hindered.test.id("/r/okapi.jpg", in: library), title: "two", caption: nil)
    #expect(files(of: hindered.test.folder, holding: "zebra") == [])
    #expect(try !library.catalogue.isToBeWiped())
    #expect(try !library.catalogue.isErasing())
    try library.close()
  }

  @Test("R-MYM-24: closing or opening the library finishes it, too", arguments: [false, true])
  func finishedByOpening(closes: Bool) throws {
    let hindered = try Hindered()
    if closes { try hindered.endReading() }
    try hindered.test.library.close()
    if closes { return #expect(files(of: hindered.test.folder, holding: "zebra") == []) }
    #expect(!files(of: hindered.test.folder, holding: "zebra").isEmpty)
    try hindered.endReading()
    let library = try Library.open(at: hindered.test.library.location, for: .writing)
    #expect(files(of: hindered.test.folder, holding: "zebra") == [])
    try library.close()
  }

  @Test("R-MYM-24: on a full disk the rows are gone, the report says so, and the next opening finishes it")
  func diskFull() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let library = try Library.open(at: LibraryLocation(folder: PathBytes(path)), for: .creating)
      for batch in 0..<8 {
        try library.scanIndex.apply(
          (0..<200).map { TestLibrary.done("/r/\(batch)/\($0).jpg", inode: UInt64(batch * 200 + $0 + 1)) })
      }
      try library.scanIndex.apply([TestLibrary.done("/zebra/zebra.jpg", inode: 9_999)])
      let zebra = try library.catalogue.file(at: PathBytes("/zebra/zebra.jpg"))
      _ = try library.catalogue.wipe()
      // As on a full disk, but of this process alone.
      signal(SIGXFSZ, SIG_IGN)
      let size = StoreFiles.size(library.location.catalogue) ?? 0
      var limits = rlimit(rlim_cur: rlim_t(size / 2), rlim_max: rlim_t(size / 2))
      guard let zebra, size > 400_000, setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else {
        return
      }
      let report = try library.erase(.file(zebra.id))
      _exit(report.notWiped == .diskFull && report.files == 1 && !report.isWiped ? 7 : 8)
    }
    #expect(!files(of: folder, holding: "zebra").isEmpty)
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(path)), for: .writing)
    #expect(files(of: folder, holding: "zebra") == [])
    #expect(try library.verify().isIntact)
  }

  @Test("R-MYM-24: the folders of past scans are erased with the last file in them, and only ten scans are kept")
  func roots() throws {
    let test = try TestLibrary()
    for scan in 0..<20 {
      let run = try test.catalogue.beginScan(of: ["/zebra", "/okapi", "/"].map { PathBytes($0) }, at: scan)
      try test.catalogue.finishScan(run, at: scan)
    }
    let scans = try test.library.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM scan") }
    #expect(scans == 10)
    try test.catalogue.apply([
      TestLibrary.done("/zebra/a.jpg", inode: 1), TestLibrary.done("/zebra/b/c.jpg", inode: 2),
      TestLibrary.done("/okapi/a.jpg", inode: 3),
    ])
    #expect(try test.library.erase(.file(test.id("/zebra/a.jpg"))).isWiped)
    #expect(try test.catalogue.lastScan()?.roots.map(\.description) == ["/", "/okapi", "/zebra"])
    #expect(try test.library.erase(.file(test.id("/zebra/b/c.jpg"))).isWiped)
    #expect(try test.catalogue.lastScan()?.roots.map(\.description) == ["/", "/okapi"])
    #expect(files(of: test.folder, holding: "zebra") == [])
  }

  private func draft(of asset: AssetID) -> AttachmentDraft {
    var draft = AttachmentDraft(text: "look")
    _ = draft.add([MediaAttachment(id: "one", asset: asset, info: TestLibrary.photo())], under: AttachmentRules())
    return draft
  }

  /// Whether somebody waits for a lock on a file (proc(5)).
  private func isWaitedFor(_ path: String) throws -> Bool {
    let inode = try FileStatus(at: PathBytes(path)).inode
    let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    return locks.split(separator: "\n").contains { $0.contains("->") && $0.contains(":\(inode) ") }
  }

  @Test("R-MYM-24: a draft that is being saved while a file is erased loses its attachment, too") func draftBeingSaved()
    throws
  {
    let test = try TestLibrary()
    try test.catalogue.apply([TestLibrary.done("/r/zebra.jpg", inode: 1)])
    let id = try test.id("/r/zebra.jpg")
    let drafts = test.library.drafts
    try drafts.save(AttachmentDraft(text: "the store is there"), for: .thread("other"))
    let done = DispatchSemaphore(value: 0)
    let report = Outcome()
    try drafts.withLock(.shared) { () throws(DraftStore.Failure) in
      let library = test.library
      Thread.detachNewThread {
        let erased = try? library.erase(.file(id))
        report.value.withLock { $0 = erased }
        done.signal()
      }
      // Until the erasure waits for this draft, or has not waited.
      while (try? isWaitedFor(drafts.folder + "/.lock")) != true, report.value.withLock({ $0 }) == nil { sched_yield() }
      try DraftFolders.makeDraft(drafts.path(of: .thread("t")))
      try DraftFiles.write(
        drafts.encoded(draft(of: id.asset), for: .thread("t")), to: DraftStore.draftName,
        in: drafts.path(of: .thread("t")))
    }
    done.wait()
    #expect(report.value.withLock { $0 }?.attachments == 1)
    #expect(try drafts.load(.thread("t"))?.items.isEmpty == true)
    #expect(try drafts.load(.thread("t"))?.text == "look")
  }

  @Test("R-MYM-24: a damaged draft is found, set aside by a repair and removed by the next erasure; a newer one stays")
  func damagedDraft() throws {
    let test = try TestLibrary()
    try test.catalogue.apply([TestLibrary.done("/r/zebra.jpg", inode: 1), TestLibrary.done("/r/okapi.jpg", inode: 2)])
    let drafts = test.library.drafts
    for name in ["cut", "newer", "whole"] {
      try drafts.save(draft(of: test.id("/r/okapi.jpg").asset), for: .thread(name))
    }
    try drafts.keepFile(at: test.folder.write([1, 2], to: "upload"), of: "one", for: .thread("cut"))
    let cut = drafts.path(of: .thread("cut")) + "/draft.json"
    let bytes = try #require(FileManager.default.contents(atPath: cut))
    try bytes.dropLast(9).write(to: URL(fileURLWithPath: cut))
    let newer = drafts.path(of: .thread("newer")) + "/draft.json"
    let text = try #require(FileManager.default.contents(atPath: newer).map { String(decoding: $0, as: UTF8.self) })
    try Data(text.replacing("\"version\":1", with: "\"version\":2").utf8).write(to: URL(fileURLWithPath: newer))

    #expect(try test.library.erase(.file(test.id("/r/zebra.jpg"))).notErased.sorted() == [cut, newer].sorted())
    #expect(try test.library.verify().problems == ["draftDamaged": 1])
    let report = try test.library.repair()
    #expect(report.problems == ["draftDamaged": 1])
    #expect(report.repaired == 1)
    #expect(try test.library.verify().isIntact)
    let damaged = test.folder.path("data/damaged/drafts")
    func files() -> [String] { (FileManager.default.subpaths(atPath: damaged) ?? []).filter { $0.contains("/") } }
    #expect(files().count == 2, "the draft and the file of its attachment")
    #expect(files().contains { FileManager.default.contents(atPath: "\(damaged)/\($0)") == bytes.dropLast(9) })
    #expect(!FileManager.default.fileExists(atPath: drafts.path(of: .thread("cut"))))
    #expect(try drafts.load(.thread("whole"))?.text == "look")

    #expect(try test.library.erase(.vanished).notErased == [newer])
    #expect(files().isEmpty)
    #expect(FileManager.default.fileExists(atPath: newer))
  }

  @Test("R-MYM-24: a draft that cannot be read may hold what is erased, and is reported") func unreadableDraft() throws
  {
    let test = try TestLibrary()
    try test.catalogue.apply([TestLibrary.done("/r/zebra.jpg", inode: 1), TestLibrary.done("/r/okapi.jpg", inode: 2)])
    let drafts = test.library.drafts
    try drafts.save(draft(of: test.id("/r/okapi.jpg").asset), for: .thread("newer"))
    let path = drafts.path(of: .thread("newer")) + "/draft.json"
    try Data("{\"version\":99}".utf8).write(to: URL(fileURLWithPath: path))
    let report = try test.library.erase(.file(test.id("/r/zebra.jpg")))
    #expect(report.notErased == [path])
    #expect(!report.isWiped)
    #expect(report.notWiped == nil)
    #expect(try test.catalogue.isErasing() == false, "nothing is left to do for a later run")
    #expect(FileManager.default.contents(atPath: path) == Data("{\"version\":99}".utf8), "it is not destroyed")
    // One that becomes unreadable after it was noted does not keep the library from being opened.
    try test.library.database.write { db in
      try Erasure(db).note(draft: "{\"thread\":\"newer\"}", item: "one")
    }
    try test.library.close()
    let again = try Library.open(at: test.library.location, for: .writing)
    #expect(try !again.catalogue.isErasing())
  }
}

/// What an erasure on another thread returned.
private final class Outcome: Sendable {
  let value = Mutex<ErasureRequest.Report?>(nil)
}

extension TestLibrary {
  fileprivate func id(_ path: String, in library: Library) throws -> FileID {
    guard let file = try library.catalogue.file(at: PathBytes(path)) else { throw NotThere(path: path) }
    return file.id
  }
}
