internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A library whose writer is killed", .serialized) struct LibraryKillTests {
  /// What batch number `n` says: ten files, each with a rendition and an original of its own.
  private static func write(_ n: Int, to library: Library, in folder: String) throws {
    var changes: [CatalogueChange] = []
    for index in 0..<10 {
      let address = try library.store.put(Array("rendition \(n) \(index)".utf8))
      changes.append(
        TestLibrary.done(
          "/r/\(n % 5)/\(n)-\(index).jpg", inode: UInt64(n * 10 + index), taken: n, at: (Double(n % 80), Double(index)),
          digest: n * 10 + index,
          renditions: [
            StoredRendition(name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
          ]))
    }
    let upload = folder + "/upload"
    try Data("original \(n)".utf8).write(to: URL(fileURLWithPath: upload))
    let stamp = try library.keepOriginal(at: PathBytes(upload), owner: "owner \(n)")
    changes.append(.done(stamp, FileResult(info: TestLibrary.photo(), digest: TestLibrary.digest(-n), engine: "e")))
    try library.scanIndex.apply(changes)
    guard let id = try library.catalogue.file(at: stamp.path)?.id else { return }
    try library.catalogue.assign([id], owner: "owner \(n)", collection: .none)
  }

  /// Writes batch after batch and forgets each third owner again.
  private static func writeUntilKilled(_ folder: String, after microseconds: UInt32) throws {
    let library = try Library.open(at: LibraryLocation(folder: PathBytes(folder + "/l")), for: .creating)
    try KilledWriter.run(killedAfter: microseconds, in: folder) { n in
      try Self.write(n, to: library, in: folder)
      if n % 3 == 0 { try library.erase(.owner("owner \(n)")) }
    }
  }

  @Test("A kill at any moment loses, duplicates and truncates no row", arguments: 0..<40 as Range<UInt64>)
  func killed(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    var random = SeededGenerator(seed: seed)
    let microseconds = UInt32(random.below(400_000))
    await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
      [path = path as String, microseconds = microseconds as UInt32] in
      try Self.writeUntilKilled(path, after: microseconds)
    }
    let acknowledged = KilledWriter.acknowledged(in: path)

    let library = try Library.open(at: LibraryLocation(folder: PathBytes(path + "/l")), for: .creating)
    var problems: Set<String> = []
    _ = try library.verify { problems.insert($0.code) }
    #expect(problems.isSubset(of: ["renditionOrphan", "originalOrphan", "leftover"]), "seed \(seed): \(problems)")
    let counts = try (1...max(1, acknowledged + 2)).map { n in
      try (0..<10).count { try library.catalogue.file(at: PathBytes("/r/\(n % 5)/\(n)-\($0).jpg")) != nil }
    }
    #expect(counts.prefix(acknowledged).allSatisfy { $0 == 10 }, "seed \(seed)")
    #expect(counts.allSatisfy { $0 == 0 || $0 == 10 }, "seed \(seed): half a batch: \(counts)")
    for n in stride(from: 3, through: acknowledged, by: 3) {
      let store = library.originals.store(of: "owner \(n)")
      #expect(try store.addresses(after: nil, limit: 9).isEmpty, "seed \(seed): \(n) was forgotten")
    }
    // It heals, and goes on to where it would have been.
    _ = try library.repair()
    #expect(try library.verify().isIntact, "seed \(seed)")
    for n in acknowledged + 1...acknowledged + 2 { try Self.write(n, to: library, in: path) }
    #expect(try library.verify().isIntact, "seed \(seed)")
    let files = try TestLibrary.all { try library.catalogue.newest(.all, after: $0, limit: 1_000) }
    #expect(files.filter { $0.path.hasPrefix("/r/") }.count == (acknowledged + 2) * 10)
    #expect(Set(files.map(\.path)).count == files.count)
  }
}
