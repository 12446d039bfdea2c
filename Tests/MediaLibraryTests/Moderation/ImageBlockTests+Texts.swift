internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

extension ImageBlockTests {
  @Test(
    "Erasing a file erases the texts about it and, with the last file, about its content; who decided what and when stays"
  )
  func texts() throws {
    let content = try #require(TestLibrary.digest(1))
    let (first, second) = (
      try add("/r/1.jpg", thumbhash: nil, digest: 1), try add("/r/2.jpg", thumbhash: nil, digest: 1)
    )
    try moderation.quarantine([first], reason: "of ada", by: "mod", at: 1)
    try moderation.block(content, reason: "of both", by: "mod", at: 2)
    try moderation.unblock(content, reason: "of both, too", by: "mod", at: 3)
    try moderation.protect([second], reason: "of bob", by: "mod", at: 4)
    func reasons() throws -> [String?] { try moderation.audit(after: nil, limit: 9).entries.map(\.reason) }
    #expect(try reasons() == ["of bob", "of both, too", "of both", "of ada"])
    _ = try test.library.erase(.file(first))
    #expect(try reasons() == ["of bob", "of both, too", "of both", nil])
    _ = try test.library.erase(.file(second))
    #expect(try reasons() == [nil, nil, nil, nil])
    let entries = try moderation.audit(after: nil, limit: 9).entries
    #expect(entries.map(\.action) == [.protect, .unblock, .block, .quarantine])
    #expect(entries.map(\.time) == [4, 3, 2, 1])
    #expect(entries.map(\.content) == [nil, content, content, nil])
    #expect(try test.folder.files(containing: Array("of ada".utf8)).isEmpty)
  }

  @Test("A content and images that look like it are blocked in one transaction, and released alike") func together()
    throws
  {
    let content = try #require(TestLibrary.digest(1))
    let other = try #require(TestLibrary.digest(2))
    let file = try add("/r/1.jpg", thumbhash: nil, digest: 1)
    let files = try moderation.block(
      content, withImagesLike: Self.hash, of: file, reason: "of ada", by: "mod", at: 1)
    #expect(files == [file])
    #expect(try moderation.imageBlock(of: Self.hash)?.distance == ImageHash.standardDistance)
    // Another content with this look was never blocked.
    try moderation.unblock(other, withImagesLike: Self.hash, of: file, by: "mod", at: 2)
    #expect(try moderation.imageBlock(of: Self.hash) != nil)
    #expect(try moderation.unblock(content, withImagesLike: Self.hash, of: file, by: "mod", at: 3) == [file])
    #expect(try moderation.imageBlock(of: Self.hash) == nil)
    #expect(try moderation.block(of: content) == nil)
    // The texts about the image are erased with the file.
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.reason) == [nil, nil, "of ada", "of ada"])
    _ = try test.library.erase(.file(file))
    #expect(try moderation.audit(after: nil, limit: 9).entries.allSatisfy { $0.reason == nil })
  }

  @Test("The texts about a content stay when its last file is edited") func editedTexts() throws {
    let content = try #require(TestLibrary.digest(1))
    _ = try add("/r/1.jpg", thumbhash: nil, digest: 1)
    try moderation.block(content, reason: "law", by: "mod", at: 1)
    try moderation.unblock(content, reason: "court", by: "mod", at: 2)
    try test.library.scanIndex.apply([TestLibrary.done("/r/1.jpg", inode: 1, second: 2_000, digest: 2)])
    #expect(try moderation.files(of: content).isEmpty)
    #expect(try moderation.audit(after: nil, limit: 9).entries.map(\.reason) == ["court", "law"])
  }

  @Test("Nothing else of the audit trail can be changed") func audit() throws {
    try moderation.blockImages(like: Self.hash, reason: "a", by: "mod", at: 1)
    for change in [
      "UPDATE audit SET reason = 'b'", "UPDATE audit SET actor = 'x', reason = NULL",
      "UPDATE audit SET time = 2, reason = NULL",
      "UPDATE audit SET image = 1, reason = NULL", "DELETE FROM audit",
    ] {
      #expect(throws: (any Error).self, "\(change)") {
        try test.library.database.write { db in try db.execute(sql: change) }
      }
    }
    #expect(try moderation.audit(after: nil, limit: 9).entries.first?.reason == "a")
  }
}
