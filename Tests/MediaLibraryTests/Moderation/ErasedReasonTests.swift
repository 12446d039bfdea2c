internal import FileSupport
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("The texts of decisions about what is erased (R-MYM-24)") struct ErasedReasonTests {
  private static let hash = Moderation.ImageHash(bits: 0x7555_D545_482D_80F8)

  let test: TestLibrary
  var moderation: Moderation { test.library.moderation }

  init() throws { test = try TestLibrary(copy: true) }

  private func add(_ path: String, owner: String, digest: Int) throws -> FileID {
    let added = AddedFile(
      path: PathBytes(path), modified: 1, received: 1,
      result: FileResult(info: TestLibrary.photo(), digest: TestLibrary.digest(digest), engine: "e"), owner: owner)
    return try #require(try test.catalogue.add([added]).first)
  }

  private func files(with text: String) throws -> [String] { try test.folder.files(containing: Array(text.utf8)) }

  @Test("The reason of a block is erased with the last file of its content; the block stays") func lastFile() throws {
    let content = try #require(TestLibrary.digest(1))
    let (first, second) = (try add("/r/1.jpg", owner: "ada", digest: 1), try add("/r/2.jpg", owner: "ada", digest: 1))
    try moderation.block(content, reason: "Quokkareason", by: "mod", at: 1)
    _ = try test.library.erase(.file(first))
    #expect(try moderation.block(of: content)?.reason == "Quokkareason")
    _ = try test.library.erase(.file(second))
    #expect(try moderation.block(of: content) == Moderation.Decision(reason: "", actor: "mod", time: 1))
    #expect(try files(with: "Quokkareason") == [])
    let again = try add("/r/3.jpg", owner: "bob", digest: 1)
    #expect(try test.catalogue.file(again)?.state == .quarantined)
    #expect(try test.library.verify().isIntact)
  }

  @Test("No byte of a text about an owner's contents stays after the owner is erased, also if others have them")
  func owner() throws {
    let (shared, other) = (try #require(TestLibrary.digest(1)), try #require(TestLibrary.digest(2)))
    let ada = try add("/r/1.jpg", owner: "ada", digest: 1)
    let bob = try add("/r/2.jpg", owner: "bob", digest: 1)
    let bobs = try add("/r/3.jpg", owner: "bob", digest: 2)
    // Each text in another row.
    try moderation.block(shared, reason: "Quokkablock", by: "mod", at: 1)
    try moderation.block(other, reason: "Bobsblock", by: "mod", at: 2)
    try moderation.quarantine([ada], reason: "Quokkaflag", by: "mod", at: 3)
    try moderation.blockImages(like: Self.hash, of: ada, reason: "Quokkaimage", by: "mod", at: 4)
    _ = try moderation.report(ada, by: "eve", reason: "Quokkareport", at: 5, threshold: nil)
    let note = try test.library.moments.add([Moment.New(owner: "ada", note: "n", posted: 1)])
    try moderation.hold(moments: note, reason: "Quokkahold", by: "mod", at: 6)
    #expect(try test.catalogue.file(bob)?.failure?.message == "Quokkablock")
    _ = try test.library.backUp()
    let texts = ["Quokkablock", "Quokkaflag", "Quokkaimage", "Quokkareport", "Quokkahold"]
    // In the catalogue and in the snapshot.
    for text in texts { #expect(try files(with: text).count >= 2, "\(text)") }
    #expect(try test.library.erase(.owner("ada")).isWiped)
    for text in texts { #expect(try files(with: text) == [], "\(text)") }

    #expect(try moderation.block(of: shared) == Moderation.Decision(reason: "", actor: "mod", time: 1))
    #expect(try test.catalogue.file(bob)?.state == .quarantined)
    #expect(try test.catalogue.file(bob)?.failure?.message == "")
    #expect(try moderation.imageBlock(of: Self.hash)?.distance == Moderation.ImageHash.standardDistance)
    #expect(try moderation.imageBlock(of: Self.hash)?.decision.reason == "")
    #expect(try test.catalogue.file(bobs)?.failure?.message == "Bobsblock")
    #expect(try files(with: "Bobsblock").count >= 2)
    let entries = try moderation.audit(after: nil, limit: 9).entries
    #expect(entries.map(\.action) == [.hold, .blockImage, .quarantine, .block, .block])
    #expect(entries.map(\.reason) == [nil, nil, nil, "Bobsblock", nil])
    #expect(try test.library.verify().isIntact)
  }

  @Test("A block of a content or of an image that no file ever had keeps its reason") func withoutFile() throws {
    let content = try #require(TestLibrary.digest(9))
    _ = try add("/r/1.jpg", owner: "ada", digest: 1)
    try moderation.block(content, reason: "law", by: "mod", at: 1)
    try moderation.blockImages(like: Self.hash, reason: "law", by: "mod", at: 1)
    _ = try test.library.erase(.owner("ada"))
    #expect(try moderation.block(of: content)?.reason == "law")
    #expect(try moderation.imageBlock(of: Self.hash)?.decision.reason == "law")
  }
}
