internal import FileSupport
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Moments that are shown again with their file, for those who list what changed (R-MYM-16)")
struct ShownMomentTests {
  let world: MomentWorld
  /// Of two files with one content, and of one with another.
  let files: [FileID]
  let moments: [Moment.ID]
  var moderation: Moderation { world.library.moderation }

  init() throws {
    world = try MomentWorld()
    try world.test.catalogue.apply(
      (1...3).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), taken: $0, digest: $0 < 3 ? 1 : 2) })
    let test = world.test
    files = try (1...3).map { try test.id("/r/\($0).jpg") }
    moments = try world.moments.add(
      files.map { file in
        var new = Moment.New(owner: "ada", file: file, posted: 1_000)
        new.visibility = .friends
        return new
      })
  }

  /// What friends find that changed after a time.
  private func changed(since time: Int) throws -> Set<Moment.ID> {
    Set(try world.all(Moment.Scope(owners: ["ada"], audience: .friends, changedSince: time)).map(\.id))
  }

  private func content() throws -> ContentDigest { try #require(TestLibrary.digest(1)) }

  @Test("A moment whose file is released is among those that changed since, with the version that it had")
  func released() throws {
    try moderation.quarantine([files[0]], reason: "rude", by: "mod", at: 2_000)
    #expect(try changed(since: 1_500).isEmpty)
    try moderation.release([files[0]], by: "mod", at: 3_000)
    #expect(try changed(since: 3_000) == [moments[0]])
    #expect(try world.moments.moment(moments[0], in: .friends(["ada"]))?.changed == 3_000)
    #expect(try world.moments.moment(moments[0], in: .friends(["ada"]))?.version == 1)
    #expect(try world.library.verify().isIntact)
  }

  @Test("Moments of all files whose content is no longer blocked are among those that changed since") func unblocked()
    throws
  {
    try moderation.block(content(), reason: "law", by: "mod", at: 2_000)
    try moderation.unblock(content(), by: "mod", at: 3_000)
    #expect(try changed(since: 3_000) == [moments[0], moments[1]])
  }

  @Test(
    "Moments whose content a newer scan finds clean are among those that changed since; those of the first scan are not"
  )
  func cleared() throws {
    try moderation.record(Moderation.Verdict(try #require(TestLibrary.digest(2)), .clean, at: 2_000))
    #expect(try changed(since: 1_500).isEmpty, "nothing hid it")
    try moderation.record(Moderation.Verdict(content(), .infected, detail: "Eicar", signatures: 1, at: 2_000))
    #expect(try changed(since: 1_500).isEmpty)
    try moderation.record(Moderation.Verdict(content(), .clean, signatures: 2, at: 3_000))
    #expect(try changed(since: 3_000) == [moments[0], moments[1]])
    try moderation.record(Moderation.Verdict(content(), .clean, signatures: 3, at: 4_000))
    #expect(try changed(since: 4_000).isEmpty, "it was clean before")
  }

  @Test("A moment that was found clean changed when the verdict was recorded, not when the scan began")
  func recordedLater() throws {
    try moderation.record(Moderation.Verdict(content(), .infected, detail: "Eicar", signatures: 1, at: 2_000))
    try moderation.record(Moderation.Verdict(content(), .clean, signatures: 2, at: 3_000), at: 4_000)
    #expect(try changed(since: 4_000) == [moments[0], moments[1]])
    #expect(try moderation.verdict(of: content())?.time == 3_000)
  }

  @Test("A moment that no verdict hid does not change", arguments: [Moderation.Verdict.State.pending, .unscannable])
  func neverHidden(state: Moderation.Verdict.State) throws {
    try moderation.record(Moderation.Verdict(content(), state, detail: "encrypted", at: 2_000))
    try moderation.record(Moderation.Verdict(content(), .clean, at: 3_000))
    #expect(try changed(since: 1_500).isEmpty)
  }

  @Test("With two reasons to hide its file, a moment has the time of the decision that ended the last one")
  func reasons() throws {
    try moderation.quarantine([files[0]], reason: "rude", by: "mod", at: 2_000)
    try moderation.block(content(), reason: "law", by: "mod", at: 2_000)
    try moderation.unblock(content(), by: "mod", at: 3_000)
    #expect(try changed(since: 1_500) == [moments[1]])
    try moderation.release([files[0]], by: "mod", at: 4_000)
    #expect(try changed(since: 4_000) == [moments[0]])
  }

  @Test("A clock that was set back changes no time, nor does the release of a file that was shown")
  func earlier() throws {
    try moderation.release([files[0]], by: "mod", at: 2_000)
    #expect(try changed(since: 1_500).isEmpty)
    try moderation.quarantine([files[0]], reason: "rude", by: "mod", at: 900)
    try moderation.release([files[0]], by: "mod", at: 900)
    #expect(try changed(since: 1_000) == Set(moments))
  }
}
