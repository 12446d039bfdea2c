internal import FileSupport
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// Random histories of decisions beside a model of them.
@Suite("Random histories of moderation") struct ModerationHistoryTests {
  private struct Model {
    var contents: [FileID: Int] = [:]
    var vanished: Set<FileID> = []
    var quarantined: Set<FileID> = []
    var protected: Set<FileID> = []
    var reports: [FileID: Set<Int>] = [:]
    var blocked: Set<Int> = []
    var infected: Set<Int> = []
    /// What a scanner found last in each content that files have, as far as it had a result.
    var states: [Int: Moderation.Verdict.State] = [:]
    var accepted: Set<Int> = []
    var entries = 0

    func isHidden(_ file: FileID) -> Bool {
      guard let content = contents[file] else { return false }
      return quarantined.contains(file) || blocked.contains(content) || infected.contains(content)
    }

    func isClean(_ content: Int) -> Bool {
      states[content] == .clean || states[content] == .unscannable && accepted.contains(content)
    }

    mutating func record(_ state: Moderation.Verdict.State, _ content: Int) {
      switch (state, states[content]) {
      case (.pending, nil), (.infected, _), (.clean, _): states[content] = state
      case (.unscannable, let last): if last != .infected { states[content] = state }
      case (.pending, _): break
      }
      if states[content] == .infected { accepted.remove(content) }
    }

    mutating func erase(_ files: Set<FileID>) {
      for file in files {
        contents[file] = nil
        reports[file] = nil
      }
      vanished.subtract(files)
      quarantined.subtract(files)
      protected.subtract(files)
      infected.formIntersection(contents.values)
      accepted.formIntersection(contents.values)
      let left = Set(contents.values)
      states = states.filter { left.contains($0.key) }
    }
  }

  @Test(
    "What is hidden or clean is what decisions and scans made so, over blocks, releases, acceptances, scans and erasures",
    arguments: 0..<20 as Range<UInt64>)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try TestLibrary()
    let moderation = test.library.moderation
    var model = Model()
    var paths = 0
    for step in 0..<150 {
      let file = model.contents.keys.sorted().dropFirst(random.below(max(1, model.contents.count))).first
      let number = random.below(4)
      let content = try #require(TestLibrary.digest(number))
      let hasContent = model.contents.values.contains(number)
      switch random.below(14) {
      case 0, 1:
        paths += 1
        let path = "/r/\(paths).jpg"
        if random.below(2) == 0 {
          try test.catalogue.apply([TestLibrary.done(path, inode: UInt64(paths), digest: number)])
        } else {
          _ = try test.catalogue.add([
            AddedFile(
              path: PathBytes(path), modified: 1, received: 1,
              result: FileResult(info: TestLibrary.photo(), digest: content, engine: "e"))
          ])
        }
        model.contents[try test.id(path)] = number
      case 2:
        try moderation.block(content, reason: "r", by: "mod", at: step)
        model.blocked.insert(number)
        model.accepted.remove(number)
        model.entries += 1
      case 3, 4:
        try moderation.unblock(content, by: "mod", at: step)
        if model.blocked.remove(number) != nil { model.entries += 1 }
      case 5:
        guard let file else { continue }
        try moderation.quarantine([file], reason: "r", by: "mod", at: step)
        model.quarantined.insert(file)
        model.entries += 1
      case 6, 7:
        guard let file, let content = model.contents[file] else { continue }
        guard !model.blocked.contains(content), !model.infected.contains(content) else {
          #expect(throws: LibraryError.self) { try moderation.release([file], by: "mod", at: step) }
          continue
        }
        try moderation.release([file], by: "mod", at: step)
        if model.quarantined.remove(file) != nil { model.entries += 1 }
        if model.reports.removeValue(forKey: file) != nil { model.entries += 1 }
      case 8:
        guard let file else { continue }
        if model.protected.contains(file) {
          try moderation.unprotect([file], by: "mod", at: step)
          model.protected.remove(file)
        } else {
          try moderation.protect([file], by: "mod", at: step)
          model.protected.insert(file)
        }
        model.entries += 1
      case 9:
        guard let file else { continue }
        let reader = random.below(4)
        model.reports[file, default: []].insert(reader)
        let isMet =
          model.reports[file]?.count ?? 0 >= 2 && !model.protected.contains(file) && !model.quarantined.contains(file)
        #expect(try moderation.report(file, by: "\(reader)", reason: "r", at: step, threshold: 2) == isMet)
        if isMet {
          model.quarantined.insert(file)
          model.entries += 1
        }
      case 10:
        let state = Moderation.Verdict.State.allCases[random.below(4)]
        let isKnown = try moderation.record(Moderation.Verdict(content, state, detail: "d", at: step))
        #expect(isKnown == hasContent)
        guard isKnown else { continue }
        let wasInfected = model.infected.contains(number)
        if state == .infected { model.infected.insert(number) }
        if state == .clean { model.infected.remove(number) }
        model.record(state, number)
        if wasInfected != model.infected.contains(number) { model.entries += 1 }
      case 11:
        guard let file else { continue }
        let isGone = model.vanished.contains(file)
        try test.catalogue.apply([isGone ? .returned(file) : .vanished(file)])
        if isGone { model.vanished.remove(file) } else { model.vanished.insert(file) }
      case 12:
        guard model.states[number] == .unscannable, !model.blocked.contains(number) else {
          #expect(throws: LibraryError.self) { try moderation.accept([content], by: "mod", at: step) }
          continue
        }
        try moderation.accept([content], by: "mod", at: step)
        model.accepted.insert(number)
        model.entries += 1
      default:
        if random.below(4) == 0 {
          let gone = model.vanished.subtracting(model.protected)
          #expect(try test.library.erase(.vanished, wiping: false).files == gone.count)
          model.erase(gone)
        } else if let file {
          #expect(try test.library.erase(.file(file), wiping: false).files == 1)
          model.erase([file])
        }
      }
      guard step % 10 == 9 else { continue }
      let at: Comment = "seed \(seed), step \(step)"
      // A vanished file that was shown again is examined when it comes back, as a new one.
      let present = model.contents.keys.filter { !model.vanished.contains($0) }
      let hidden = Set(
        try TestLibrary.all { try test.catalogue.files(of: .quarantined, after: $0, limit: 3) }.map(\.id))
      #expect(hidden == Set(present.filter(model.isHidden)), at)
      let shown = Set(try TestLibrary.all { try test.catalogue.newest(.all, after: $0, limit: 3) }.map(\.id))
      #expect(shown.isSubset(of: present.filter { !model.isHidden($0) }), at)
      for file in present where !model.isHidden(file) && !shown.contains(file) {
        #expect(try test.catalogue.file(file)?.state == .new, at)
      }
      for file in model.contents.keys {
        #expect(try moderation.standing(of: file)?.isHidden == model.isHidden(file), at)
      }
      for number in 0..<4 {
        let verdict = try moderation.verdict(of: #require(TestLibrary.digest(number)))
        #expect(verdict?.isClean ?? false == model.isClean(number), at)
      }
      #expect(try moderation.audit(after: nil, limit: 1).entries.first?.id ?? 0 == model.entries, at)
      let report = try test.library.verify()
      #expect(report.isIntact, "\(at): \(report.problems)")
    }
  }
}
