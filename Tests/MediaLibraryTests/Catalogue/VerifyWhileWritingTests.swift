internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Verifying while somebody writes", .timeLimit(.minutes(20))) struct VerifyWhileWritingTests {
  private func photo(_ name: String, _ address: ContentDigest) -> CatalogueChange {
    TestLibrary.done(
      "/r/\(name).jpg", inode: UInt64(address.bytes[0]) + 1, digest: Int(address.bytes[1]),
      renditions: [
        StoredRendition(name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
      ])
  }

  @Test(
    "R-MYM-22: what a scan of another process has stored and not yet recorded is no problem, and reported as unsettled")
  func otherProcess() throws {
    let test = try TestLibrary(copy: true)
    let reader = try Library.open(at: test.library.location, for: .reading, options: test.library.options)
    let stored = try test.library.store.put([1, 2, 3])
    let upload = try test.folder.write([9, 9], to: "upload")
    let original = try test.library.keepOriginal(at: PathBytes(upload), owner: "ann")
    let leftover = test.folder.path("cache/renditions/.mediatool-1-1.tmp")
    try Data([1]).write(to: URL(fileURLWithPath: leftover))
    var report = try reader.verify()
    #expect(report.problems == [:])
    #expect(report.unsettled == 5, "rendition and original in library and copy, and a file that is being written")

    try test.catalogue.apply([photo("a", stored), .done(original, FileResult(info: TestLibrary.photo(), engine: "e"))])
    try FileManager.default.removeItem(atPath: leftover)
    report = try reader.verify()
    #expect(report.isIntact)
    #expect(report.unsettled == 0)

    // Nobody writes any more: then it is an orphan.
    _ = try test.library.store.put([4, 5, 6])
    #expect(try reader.verify().unsettled == 2)
    try test.library.close()
    report = try reader.verify()
    #expect(report.problems == ["renditionOrphan": 2])
    #expect(report.unsettled == 0)
  }

  @Test("R-MYM-22: an orphan that is older than the scan is a problem while the scan runs, too") func olderOrphan()
    throws
  {
    let test = try TestLibrary()
    _ = try test.library.store.put([4, 5, 6])
    try test.library.close()
    // The lock is younger than the file: the clock of files has gone on.
    let path = DirectoryStore(folder: test.library.location.renditions).path(of: DirectoryStore.digest([4, 5, 6]))
    FileClock.wait(past: try FileStatus(at: #require(path)).changed)
    let writer = try Library.open(at: test.library.location, for: .writing)
    let reader = try Library.open(at: test.library.location, for: .reading)
    #expect(try reader.verify().problems == ["renditionOrphan": 1])
    try writer.close()
  }

  @Test("R-MYM-22: a scan of this process is no problem, and keeps a repair from moving what it has stored")
  func sameProcess() throws {
    let test = try TestLibrary()
    try test.library.whileScanning {
      _ = try test.library.store.put([1, 2, 3])
      let report = try test.library.verify()
      #expect(report.isIntact)
      #expect(report.unsettled == 1)
      #expect { try test.library.repair() } throws: { ($0 as? LibraryError)?.code == .locked }
    }
    #expect(try test.library.verify().problems == ["renditionOrphan": 1])
  }

  @Test("What was erased and waits for its bytes to be removed is no orphan") func garbage() throws {
    let test = try TestLibrary()
    let (first, second) = (try test.library.store.put([1]), try test.library.store.put([2]))
    try test.catalogue.apply([photo("a", first)])
    try test.catalogue.apply([
      .done(
        TestLibrary.stamp("/r/a.jpg", inode: UInt64(first.bytes[0]) + 1),
        FileResult(
          info: TestLibrary.photo(), digest: TestLibrary.digest(Int(first.bytes[1])),
          renditions: [
            StoredRendition(name: "grid", address: second, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
          ], engine: "e"))
    ])
    #expect(try test.library.verify().isIntact)
  }

  @Test("R-MYM-22: verifying again and again while another process adds and erases finds nothing") func race()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    let location = LibraryLocation(folder: PathBytes(path + "/l"))
    try Library.open(at: location, for: .creating).close()
    let verifying = Task.detached { () -> [String] in
      var problems: Set<String> = []
      while !FileManager.default.fileExists(atPath: path + "/done") {
        let library = try Library.open(at: location, for: .reading)
        _ = try library.verify { problems.insert("\($0)") }
        try library.close()
      }
      return problems.sorted()
    }
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let library = try Library.open(at: LibraryLocation(folder: PathBytes(path + "/l")), for: .writing)
      for round in 0..<60 {
        let addresses = try (0..<8).map { try library.store.put([UInt8(round), UInt8($0)]) }
        try library.scanIndex.apply(
          addresses.enumerated().map { index, address in
            TestLibrary.done(
              "/r/\(round)-\(index).jpg", inode: UInt64(round * 10 + index + 1), digest: round * 10 + index + 1,
              renditions: [
                StoredRendition(
                  name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
              ])
          })
        if round % 3 == 2, let file = try library.catalogue.file(at: PathBytes("/r/\(round - 1)-0.jpg")) {
          try library.erase(.file(file.id), wiping: false)
        }
      }
      try Data().write(to: URL(fileURLWithPath: path + "/done"))
      _exit(7)
    }
    try Data().write(to: URL(fileURLWithPath: path + "/done"))
    #expect(try await verifying.value == [])
  }
}
