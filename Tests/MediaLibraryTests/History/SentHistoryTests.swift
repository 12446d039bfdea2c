internal import FileSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// Moments, trips, collections, drafts, decisions, copies and erasures in one history, beside a model of them in dictionaries.
@Suite("Random histories of everything that people send", .serialized) struct SentHistoryTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"
  private static let (seeds, steps) = isFull ? (60, 120) : (2, 60)
  private static let killedSeeds = isFull ? 20 : 2

  @Test(
    "A library has what the model has, and when all owners are erased, no byte has a word of theirs",
    arguments: 0..<seeds)
  func history(seed: Int) throws {
    let folder = try TemporaryFolder()
    var world = try HistoryLibrary(in: folder.url.path)
    var model = HistoryModel()
    for number in 1...Self.steps {
      let step = model.step(number, seed: seed)
      try world.take(step)
      model.take(step)
      guard number.isMultiple(of: 20) else { continue }
      let at: Comment = "seed \(seed), step \(number)"
      try compare(world, model, at)
      try compareBytes(world, model, at)
      guard number.isMultiple(of: 40) else { continue }
      try world.library.close()
      world = try HistoryLibrary(in: folder.url.path)
    }
    #expect(try !folder.files(containing: Array("Quokka".utf8)).isEmpty, "the search itself")
    try eraseEverything(world, in: folder, ["Quokka", "Wombat"], "seed \(seed)")
    #expect(try world.library.verify().isIntact, "seed \(seed)")
    try world.library.close()
  }

  private static func writeUntilKilled(_ folder: String, seed: Int, from start: Int, after microseconds: UInt32) throws
  {
    let world = try HistoryLibrary(in: folder)
    var model = HistoryModel.after(start, seed: seed)
    try KilledWriter.run(killedAfter: microseconds, in: folder) { number in
      let step = model.step(start + number, seed: seed)
      try world.take(step)
      model.take(step)
    }
  }

  @Test(
    "After each of several kills, a library has what the model has after the last step that was done, or after one more; erasures are repeated",
    arguments: 0..<killedSeeds)
  func killed(seed: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    var random = SeededGenerator(seed: UInt64(seed))
    var done = 0
    for kill in 0..<4 {
      let at: Comment = "seed \(seed), kill \(kill), after step \(done)"
      let microseconds = UInt32(20_000 + random.below(300_000))
      try? FileManager.default.removeItem(atPath: path + "/acknowledged")
      await #expect(processExitsWith: .signal(SIGKILL), at) {
        [path = path as String, seed = seed as Int, done = done as Int, microseconds = microseconds as UInt32] in
        try Self.writeUntilKilled(path, seed: seed, from: done, after: microseconds)
      }
      done += KilledWriter.acknowledged(in: path)
      let world = try HistoryLibrary(in: path)
      var model = HistoryModel.after(done, seed: seed)
      let next = model.step(done + 1, seed: seed)
      let before = model.census()
      model.take(next)
      // Who got no report of an erasure asks for it again.
      if next.isErasure { try world.take(next) }
      let isTaken = try next.isErasure || world.census() != before
      if isTaken { done += 1 } else { model = .after(done, seed: seed) }
      try compare(world, model, at)
      try compareBytes(world, model, at, isKilled: true)
      try world.library.close()
    }
    try FileManager.default.removeItem(atPath: path + "/acknowledged")
    // A rendition that was stored just before a kill is nobody's, so an erasure does not find it.
    try eraseEverything(try HistoryLibrary(in: path), in: folder, ["Quokka"], "seed \(seed), after step \(done)")
  }

  // MARK: Comparing

  private func compare(_ world: HistoryLibrary, _ model: HistoryModel, _ at: Comment) throws {
    let (found, expected) = (try world.census(), model.census())
    #expect(found == expected, "\(at): \(found.difference(from: expected))")
    var problems: [String] = []
    _ = try world.library.verify { problems.append("\($0)") }
    // What a step had stored before its kill, and recorded no more.
    problems.removeAll { text in ["orphan", "leftover"].contains { text.hasPrefix($0) } }
    #expect(problems == [], at)
  }

  /// Each original, its copy and the rendition of each content are there as long as somebody has them, and every text is found by its words.
  /// - Parameter isKilled: Whether a step may have been killed that had stored some of these. Default false.
  private func compareBytes(
    _ world: HistoryLibrary, _ model: HistoryModel, _ at: Comment, isKilled: Bool = false
  ) throws {
    let (library, manager) = (world.library, FileManager.default)
    for content in 0..<HistoryModel.contents {
      for owner in HistoryModel.owners {
        let file = HistoryFile(owner: owner, content: content)
        let (path, isThere) = (world.path(file), model.files[file] != nil)
        if isKilled, !isThere { continue }
        #expect(manager.fileExists(atPath: path.description) == isThere, "\(at): \(file)")
        let copy = try #require(library.originals.copy(of: path))
        #expect(manager.fileExists(atPath: copy.description) == isThere, "\(at): the copy of \(file)")
      }
      let isUsed = model.files.keys.contains { $0.content == content }
      if isKilled, !isUsed { continue }
      let address = DirectoryStore.digest(HistoryLibrary.rendition(content))
      #expect(try library.store.contains(address) == isUsed, "\(at): the rendition of \(content)")
    }
    for name in model.shown {
      guard let post = model.posts[name] else { continue }
      let found = try library.moments.search(
        HistoryModel.word(post.text), in: .owner(post.owner), after: nil, limit: 9)
      #expect(found.moments.map(\.title) == ["t\(name)"], at)
    }
  }

  private func eraseEverything(
    _ world: HistoryLibrary, in folder: TemporaryFolder, _ words: [String], _ at: Comment
  ) throws {
    try? FileManager.default.removeItem(atPath: world.folder + "/upload")
    for owner in HistoryModel.owners {
      let report = try world.library.erase(.owner(owner))
      #expect(report.notErased == [], at)
      #expect(report.isWiped, at)
    }
    for word in words.flatMap({ [$0, $0.lowercased()] }) {
      #expect(try folder.files(containing: Array(word.utf8)) == [], "\(at): \(word)")
    }
  }
}
