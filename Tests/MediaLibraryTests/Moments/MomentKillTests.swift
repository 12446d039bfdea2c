internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("People's posts and moderators' decisions when the writer is killed", .serialized) struct MomentKillTests {
  private static let seeds = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 40 : 5

  private static func location(_ folder: String) -> LibraryLocation {
    LibraryLocation(folder: PathBytes(folder + "/l"))
  }

  private static func writeUntilKilled(_ folder: String, after microseconds: UInt32) throws {
    let library = try Library.open(at: location(folder), for: .creating)
    let program = MomentProgram(library: library, folder: folder)
    try KilledWriter.run(killedAfter: microseconds, in: folder) { try program.step($0) }
  }

  /// What a library has after so many steps, if nobody kills it, and after one more.
  private static func expected(after steps: Int) throws -> (before: [String], after: [String]) {
    let folder = try TemporaryFolder()
    let library = try Library.open(at: location(folder.url.path), for: .creating)
    defer { try? library.close() }
    let program = MomentProgram(library: library, folder: folder.url.path)
    for number in 0..<steps { try program.step(number + 1) }
    let before = try program.census()
    try program.step(steps + 1)
    return (before, try program.census())
  }

  @Test(
    "After a kill at any moment there is every post, edit, trip, block, report, switch and erasure that was reported as done, and at most one more",
    arguments: 0..<seeds)
  func killed(seed: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    var random = SeededGenerator(seed: UInt64(seed))
    let microseconds = UInt32(50_000 + random.below(700_000))
    await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
      [path = path as String, microseconds = microseconds as UInt32] in
      try Self.writeUntilKilled(path, after: microseconds)
    }
    let acknowledged = KilledWriter.acknowledged(in: path)
    let library = try Library.open(at: Self.location(path), for: .creating)
    let program = MomentProgram(library: library, folder: path)
    let found = try program.census()
    let (before, after) = try Self.expected(after: acknowledged)
    #expect(found == before || found == after, "seed \(seed), after \(acknowledged) steps: \(found)")

    var problems: Set<String> = []
    _ = try library.verify { problems.insert($0.code) }
    #expect(problems.isSubset(of: ["originalOrphan", "leftover"]), "seed \(seed): \(problems)")
    _ = try library.repair()
    #expect(try library.verify().isIntact, "seed \(seed)")
    for number in acknowledged + 2...acknowledged + 20 { try program.step(number) }
    #expect(try library.verify().isIntact, "seed \(seed)")
  }
}
