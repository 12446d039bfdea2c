internal import FileSupport
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Verdicts of malware scanners") struct VerdictTests {
  let test: TestLibrary
  var moderation: Moderation { test.library.moderation }

  init() throws {
    test = try TestLibrary()
    try test.catalogue.apply(
      (1...4).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), digest: $0 < 4 ? $0 : 3) })
  }

  private func content(_ number: Int) throws -> ContentDigest { try #require(TestLibrary.digest(number)) }
  private func shown() throws -> Int { try test.catalogue.newest(.all, after: nil, limit: 99).files.count }
  private func record(
    _ number: Int, _ state: Moderation.Verdict.State, _ detail: String? = nil, signatures: Int? = nil, at time: Int = 0,
    due: Int? = nil
  ) throws {
    try moderation.record(
      Moderation.Verdict(
        content(number), state, detail: detail, engine: "e", signatures: signatures, at: time, due: due))
  }

  @Test("Malware hides every file with the content until a scan finds none; a file cannot be released before")
  func infected() throws {
    try record(3, .infected, "Eicar")
    #expect(try shown() == 2)
    let id = try test.id("/r/3.jpg")
    #expect(try test.catalogue.file(id)?.failure?.message == "malware: Eicar")
    #expect(try moderation.standing(of: id)?.isHidden == true)
    let refused = #expect(throws: LibraryError.self) { try moderation.release([id], by: "mod", at: 1) }
    #expect(refused?.code == .invalidRequest)
    try test.catalogue.apply([TestLibrary.done("/r/5.jpg", inode: 5, digest: 3)])
    #expect(try shown() == 2)
    // Neither a scanner that is away nor a limit clears it.
    for (state, detail) in [
      (Moderation.Verdict.State.pending, nil), (.unscannable, "scannerError"), (.unscannable, "tooLarge"),
    ] {
      try record(3, state, detail)
      #expect(try moderation.verdict(of: content(3))?.state == .infected)
      #expect(try moderation.verdict(of: content(3))?.detail == "Eicar")
    }
    try record(3, .clean)
    #expect(try shown() == 5)
    #expect(try test.library.verify().isIntact)
  }

  @Test(
    "A scan without a result is due after a minute, then after twice as long, at most a day, and keeps a clean content clean"
  )
  func pauses() throws {
    try record(1, .unscannable, "scannerError", at: 100)
    #expect(try moderation.verdict(of: content(1))?.due == 160)
    try record(1, .unscannable, "timedOut", at: 200)
    #expect(try moderation.verdict(of: content(1))?.due == 320)
    for _ in 0..<70 { try record(1, .unscannable, "scannerError", at: 0) }
    #expect(try moderation.verdict(of: content(1))?.due == 86_400)
    #expect(try moderation.verdict(of: content(1))?.attempts == 72)
    try record(1, .clean, signatures: 5, at: 300)
    #expect(try moderation.verdict(of: content(1))?.due == nil)
    #expect(try moderation.verdict(of: content(1))?.attempts == 0)
    try record(1, .unscannable, "scannerError", at: 400)
    let kept = try #require(try moderation.verdict(of: content(1)))
    #expect(kept.state == .clean)
    #expect(kept.signatures == 5)
    #expect(kept.time == 300)
    #expect(kept.due == 460)
    // A limit is a result.
    try record(1, .unscannable, "tooLarge", at: 500)
    #expect(try moderation.verdict(of: content(1))?.state == .unscannable)
    #expect(try moderation.verdict(of: content(1))?.due == nil)
    // One that is pending was not scanned, which is no attempt.
    try record(2, .pending, at: 7, due: 60)
    #expect(try moderation.verdict(of: content(2))?.attempts == 0)
    #expect(try moderation.verdict(of: content(2))?.due == 60)
  }

  @Test("Contents to scan are those without a verdict, those that are due, and those scanned with older signatures")
  func candidates() throws {
    func unscanned(by time: Int, signatures: Int? = nil, all: Bool = false) throws -> [ContentDigest] {
      var (found, last): ([ContentDigest], ContentDigest?) = ([], nil)
      while true {
        let page = try moderation.unscanned(after: last, by: time, signatures: signatures, all: all, limit: 1)
        found += page.candidates.map(\.content)
        guard let next = page.next else { return found }
        last = next
      }
    }
    let contents = try (1...3).map(content).sorted()
    #expect(try unscanned(by: 0) == contents, "each content once")
    try record(1, .clean, signatures: 5)
    try record(2, .pending, due: 60)
    #expect(try unscanned(by: 59) == [content(3)])
    #expect(try unscanned(by: 60) == [content(2), content(3)].sorted())
    #expect(try unscanned(by: 59, signatures: 5) == [content(2), content(3)].sorted(), "it has no signatures yet")
    #expect(try unscanned(by: 59, signatures: 6) == contents)
    #expect(try unscanned(by: 0, all: true) == contents)
    #expect(try moderation.due(by: 59, limit: 9).isEmpty)
    let due = try moderation.due(by: 60, limit: 9)
    #expect(try due.map(\.content) == [content(2)])
    #expect(due.map(\.stamp.path) == [PathBytes("/r/2.jpg")])
    // A file that is gone cannot be scanned.
    try test.catalogue.apply([.vanished(test.id("/r/2.jpg"))])
    #expect(try moderation.due(by: 60, limit: 9).isEmpty)
    #expect(try unscanned(by: 60) == [content(3)])
    // Malware that is quarantined can.
    try record(3, .infected, "Eicar", signatures: 5)
    #expect(try unscanned(by: 0, signatures: 6).contains(content(3)))
  }

  @Test("A scan that is due more than a day ahead is due: the clock was set back since") func dueFarAhead() throws {
    for number in [1, 3] { try record(number, .clean) }
    try record(2, .pending, due: 100_000)
    func unscanned(by time: Int) throws -> [ContentDigest] {
      try moderation.unscanned(after: nil, by: time, signatures: nil, limit: 9).candidates.map(\.content)
    }
    #expect(try unscanned(by: 13_599) == [content(2)])
    #expect(try unscanned(by: 13_600) == [])
    #expect(try unscanned(by: 99_999) == [])
    #expect(try unscanned(by: 100_000) == [content(2)])
  }

  @Test("A verdict is erased with the last file of its content, and none is kept of a content that no file has")
  func erased() throws {
    #expect(try moderation.record(Moderation.Verdict(content(9), .clean, at: 0)) == false)
    #expect(try moderation.verdict(of: content(9)) == nil)
    try record(3, .clean)
    try test.library.erase(.file(test.id("/r/3.jpg")))
    #expect(try moderation.verdict(of: content(3))?.state == .clean)
    try test.library.erase(.file(test.id("/r/4.jpg")))
    #expect(try moderation.verdict(of: content(3)) == nil)
    #expect(try test.library.verify().isIntact)
  }

  @Test("An older scan does not clear malware: neither one with older signatures, nor an earlier one with the same")
  func older() throws {
    try record(3, .infected, "Eicar", signatures: 5, at: 100)
    try record(3, .clean, signatures: 4, at: 200)
    #expect(try moderation.verdict(of: content(3))?.state == .infected)
    try record(3, .clean, signatures: 5, at: 99)
    #expect(try moderation.verdict(of: content(3))?.state == .infected)
    #expect(try shown() == 2)
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.action) == [.infected])
    try record(3, .clean, signatures: 6, at: 99)
    #expect(try moderation.verdict(of: content(3))?.state == .clean)
  }

  @Test("A damaged row ends no page of contents to scan, and is counted") func damaged() throws {
    let contents = try (1...3).map(content).sorted()
    for number in 1...3 { try record(number, .pending, due: try content(number) == contents[0] ? 1 : 2) }
    let first = try #require(
      try moderation.unscanned(after: nil, by: 9, signatures: nil, limit: 1).candidates.first)
    #expect(first.content == contents[0])
    try test.library.database.pool.write { db in
      try db.execute(sql: "UPDATE file SET size = 'x' WHERE id = ?", arguments: [first.file.rawValue])
    }
    let page = try moderation.unscanned(after: nil, by: 9, signatures: nil, limit: 1)
    #expect(page.candidates.map(\.content) == [contents[1]])
    #expect(page.damaged == 1)
    #expect(page.next == contents[1])
    #expect(try moderation.due(by: 9, limit: 1).map(\.content) != [contents[0]])
    #expect(try moderation.due(by: 9, limit: 1).count == 1)
  }
}
