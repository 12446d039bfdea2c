internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A rebuild or a backup that is killed", .serialized) struct RebuildKillTests {
  private static let seeds = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 60 : 6

  private func expectAllIsThere(_ world: RecoveryWorld, _ before: Census, _ comment: String) throws {
    #expect(before.missing(in: try Census(of: world.root)) == [], "\(comment)")
    try RecoveryVerb.rebuildCopyAnyway.run(in: world)
    let library = try Library.open(at: world.location, for: .reading)
    defer { try? library.close() }
    for index in 0..<8 where index != 5 {
      #expect(try library.catalogue.file(at: PathBytes("/r/\(index).jpg"))?.caption == "caption \(index)", "\(comment)")
    }
  }

  @Test("R-MYM-23: after a kill at any step of a rebuild, the next rebuild has every row")
  func steps() throws {
    let world = try RecoveryWorld()
    let steps: [(String, (RecoveryWorld) throws -> Void)] = [
      (
        "the candidate is half written",
        { try Data("SQLite".utf8).write(to: URL(fileURLWithPath: $0.path("data/catalogue.rebuilding.sqlite"))) }
      ),
      (
        "a snapshot is half written",
        { try Data("SQLite".utf8).write(to: URL(fileURLWithPath: $0.path("copy/.catalogue-1"))) }
      ),
      ("the old one has two names", { try SetAsideCatalogues($0.location).keepCurrent() }),
      (
        "the old one has lost its first name, but not its log",
        {
          try SetAsideCatalogues($0.location).keepCurrent()
          try StoreFiles.remove($0.location.catalogue)
        }
      ),
      (
        "the old one has lost its first name",
        {
          try SetAsideCatalogues($0.location).keepCurrent()
          for suffix in ["", "-wal", "-shm"] { try StoreFiles.remove($0.location.catalogue.suffixed(suffix)) }
        }
      ),
    ]
    for (name, step) in steps {
      try world.reset()
      let before = try Census(of: world.root)
      try step(world)
      try expectAllIsThere(world, before, name)
    }
  }

  @Test("R-MYM-23: a kill at any moment of a rebuild or a backup loses nothing")
  func killed() async throws {
    let world = try RecoveryWorld()
    for seed in 0..<Self.seeds {
      try world.reset()
      let before = try Census(of: world.root)
      let (data, cache, copy) = (
        world.location.data.description, world.location.cache.description, world.copy.description
      )
      let microseconds = UInt32(seed * 7_919 % 120_000)
      await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
        [data = data as String, cache = cache as String, copy = copy as String, microseconds = microseconds as UInt32]
        in
        var options = Library.Options()
        options.copy = PathBytes(copy)
        let location = LibraryLocation(data: PathBytes(data), cache: PathBytes(cache))
        try KilledWriter.run(killedAfter: microseconds, in: cache) { _ in
          let (library, _) = try Library.rebuild(at: location, options: options)
          try library.backUp()
          try library.close()
        }
      }
      try expectAllIsThere(world, before, "seed \(seed)")
    }
  }
}
