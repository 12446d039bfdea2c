internal import FileSupport
internal import GRDB
internal import MediaModel
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Blocked images and near-duplicates") struct ImageBlockTests {
  typealias ImageHash = Moderation.ImageHash

  let test: TestLibrary
  var moderation: Moderation { test.library.moderation }

  init() throws { test = try TestLibrary() }

  /// The hash of a photo of testdata/, and hashes at distances from it.
  static let hash = ImageHash(bits: 0x7555_D545_482D_80F8)
  private func hash(at distance: Int) -> ImageHash { ImageHash(bits: Self.hash.bits ^ (1 << UInt64(distance) - 1)) }

  func add(_ path: String, thumbhash: String?, digest: Int) throws -> FileID {
    let placeholder = thumbhash.map { Placeholder(thumbhash: $0, blurhash: "000000", color: "#102030") }
    let added = AddedFile(
      path: PathBytes(path), modified: 1, received: 1,
      result: FileResult(
        info: TestLibrary.photo(), digest: TestLibrary.digest(digest), placeholder: placeholder, engine: "e"))
    return try #require(try test.catalogue.add([added]).first)
  }

  @Test(
    "The hash of an image follows from its ThumbHash: square, with transparency, and without one for images that are all alike",
    arguments: [
      ("CfcJFwCUeHhPiIdliEd4WHmXdwjIh4AO", "7555d545482d80f8"),
      ("YhgOXZC0Z3iQhnh4eKeHh3+V+H6K", "555555554f24b7c0"),
      ("GwiOA4AtVphAeYgAAAAAAE+YPXqHZ4k=", "55555555596db001"),
      // Little contrast, little structure, cut, no base64, empty.
      ("lloDB4AAAAAAAAAAAAAAAAAAAAAAAAAA", nil), ("IqcRTYKHeIh/h4eDd1eHd3hwdxYI", nil), ("CfcJFwCUeHhPiA==", nil),
      ("?", nil), ("", nil),
    ] as [(String, String?)]) func hashes(thumbhash: String, expected: String?) throws
  {
    #expect(ImageHash(thumbhash: thumbhash)?.description == expected)
    if let expected { #expect(ImageHash(hexadecimal: expected)?.description == expected) }
  }

  @Test("The distance is the number of different bits; a hash is 16 hexadecimal digits") func distances() {
    for distance in 0...63 { #expect(Self.hash.distance(to: hash(at: distance)) == distance) }
    #expect(ImageHash(bits: 10).description == "000000000000000a")
    for text in ["", "a", "000000000000000g", "+00000000000000a", "00000000000000000"] {
      #expect(ImageHash(hexadecimal: text) == nil, "\(text)")
    }
  }

  @Test("An image is blocked up to the distance of its block, the nearest block counts, and the last one for a hash")
  func blocks() throws {
    #expect(try moderation.imageBlock(of: Self.hash) == nil)
    try moderation.blockImages(like: Self.hash, reason: "a", by: "mod", at: 1)
    #expect(try moderation.imageBlock(of: hash(at: 4))?.decision.reason == "a")
    #expect(try moderation.imageBlock(of: hash(at: 5)) == nil)
    try moderation.blockImages(like: hash(at: 6), within: 2, reason: "b", by: "mod", at: 2)
    #expect(try moderation.imageBlock(of: hash(at: 5))?.decision.reason == "b")
    #expect(try moderation.imageBlock(of: hash(at: 4))?.hash == hash(at: 6))
    try moderation.blockImages(like: Self.hash, within: 0, reason: "c", by: "mod", at: 3)
    #expect(try moderation.imageBlock(of: Self.hash)?.decision.reason == "c")
    #expect(try moderation.imageBlock(of: hash(at: 1)) == nil)
    for distance in [-1, 9] {
      #expect(throws: LibraryError.self) {
        try moderation.blockImages(like: Self.hash, within: distance, reason: "", by: "mod", at: 4)
      }
    }
    #expect(try moderation.unblockImages(like: Self.hash, by: "mod", at: 5))
    #expect(try !moderation.unblockImages(like: Self.hash, by: "mod", at: 6))
    #expect(try moderation.imageBlock(of: Self.hash) == nil)
    let audit = try moderation.audit(after: nil, limit: 9).entries
    #expect(audit.map(\.action) == [.unblockImage, .blockImage, .blockImage, .blockImage])
    #expect(audit.map(\.image) == [Self.hash, Self.hash, hash(at: 6), Self.hash])
    #expect(try test.library.verify().isIntact)
  }

  @Test(
    "The nearest block within its distance is found among many, as by comparing with each",
    arguments: 0..<4 as Range<UInt64>)
  func nearest(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    /// A hash that differs from that of the photo in few bits.
    func near() -> ImageHash {
      ImageHash(bits: (0..<random.below(9)).reduce(Self.hash.bits) { bits, _ in bits ^ 1 << UInt64(random.below(12)) })
    }
    var blocks: [ImageHash: Int] = [:]
    for step in 0..<60 {
      let (hash, distance) = (near(), random.below(ImageHash.maxDistance + 1))
      if random.below(4) == 0 {
        try moderation.unblockImages(like: hash, by: "mod", at: step)
        blocks[hash] = nil
      } else {
        try moderation.blockImages(like: hash, within: distance, reason: "", by: "mod", at: step)
        blocks[hash] = distance
      }
      let image = near()
      let expected = blocks.filter { $0.key.distance(to: image) <= $0.value }.map { $0.key.distance(to: image) }.min()
      let found = try moderation.imageBlock(of: image)
      #expect(found?.hash.distance(to: image) == expected)
      #expect(found?.distance == found.flatMap { blocks[$0.hash] })
    }
  }

  @Test("Blocks that another process adds and ends are noticed; without a decision, no block is read again")
  func memory()
    throws
  {
    func change(_ sql: String, isDecision: Bool) throws {
      let queue = try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite"))
      try queue.write { db in
        try db.execute(sql: sql)
        guard isDecision else { return }
        try db.execute(sql: "INSERT INTO audit (time, actor, action, image) VALUES (1, 'other', 'blockImage', 1)")
      }
      try queue.close()
    }
    let values = "\(Int64(bitPattern: Self.hash.bits)), 4, 'a', 'mod', 1"
    let add = "INSERT INTO blocked_image (hash, distance, reason, actor, time) VALUES (\(values))"
    #expect(try moderation.imageBlock(of: Self.hash) == nil)
    try change(add, isDecision: true)
    #expect(try moderation.imageBlock(of: hash(at: 4))?.decision.reason == "a")
    try change("UPDATE blocked_image SET distance = 0, reason = 'b'", isDecision: false)
    #expect(try moderation.imageBlock(of: hash(at: 4))?.decision.reason == "b", "the text is that of the row")
    test.library.database.blockedImages.reset()
    #expect(try moderation.imageBlock(of: hash(at: 4)) == nil)
    try change("DELETE FROM blocked_image", isDecision: true)
    #expect(try moderation.imageBlock(of: Self.hash) == nil)
  }

  @Test("A reader that began before a repair keeps no block as it was before") func readerDuringRepair() throws {
    let images = test.library.database.blockedImages
    try moderation.blockImages(like: Self.hash, reason: "", by: "mod", at: 1)
    let queue = try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite"))
    let resets = images.resets
    try test.library.database.read { db in
      // The transaction begins.
      #expect(try Int.fetchOne(db, sql: "SELECT distance FROM blocked_image") == 4)
      try queue.write { db in try db.execute(sql: "UPDATE blocked_image SET distance = 0") }
      images.reset()
      #expect(try images.nearest(to: hash(at: 4), after: resets, db) == Self.hash)
    }
    #expect(try moderation.imageBlock(of: hash(at: 4)) == nil)
  }

  @Test("A repair that fails keeps no block as it was before") func failedRepair() throws {
    try moderation.blockImages(like: Self.hash, within: 8, reason: "", by: "mod", at: 1)
    #expect(try moderation.imageBlock(of: hash(at: 8)) != nil)
    try test.library.database.write { db in try db.execute(sql: "UPDATE blocked_image SET distance = 70") }
    // A rendition that cannot be moved to the orphans.
    _ = try test.library.store.put([8, 8, 8])
    try test.folder.write([1], to: "cache/orphans")
    #expect(throws: LibraryError.self) { _ = try test.library.repair() }
    #expect(try moderation.imageBlock(of: hash(at: 8)) == nil)
    #expect(try moderation.imageBlock(of: hash(at: 4)) != nil)
  }

  @Test("More blocks than are kept in memory are read for each search") func limit() throws {
    let images = BlockedImages(limit: 1)
    func nearest() throws -> ImageHash? {
      try test.library.database.read { db in try images.nearest(to: Self.hash, after: images.resets, db) }
    }
    for distance in [2, 3] { try moderation.blockImages(like: hash(at: distance), reason: "", by: "mod", at: 1) }
    #expect(try nearest() == hash(at: 2))
    try test.library.database.write { db in
      try db.execute(sql: "DELETE FROM blocked_image WHERE hash = ?", arguments: [Int64(bitPattern: hash(at: 2).bits)])
    }
    #expect(try nearest() == hash(at: 3))
  }

  @Test("Blocked images are listed in pages, the last ones first") func pages() throws {
    for number in 0..<7 {
      try moderation.blockImages(like: ImageHash(bits: .max - UInt64(number)), reason: "", by: "mod", at: number / 3)
    }
    var after: CatalogueFile.Cursor?
    var found: [Moderation.ImageBlock] = []
    repeat {
      let page = try moderation.imageBlocks(after: after, limit: 2)
      found += page.blocks
      after = page.next
    } while after != nil
    #expect(found.map(\.decision.time) == [2, 1, 1, 1, 0, 0, 0])
    #expect(Set(found.map(\.hash)).count == 7)
  }

  @Test("Files that look like an image are found, the nearest first, with all files of a content") func index() throws {
    let photo = "CfcJFwCUeHhPiIdliEd4WHmXdwjIh4AO"
    let first = try add("/r/1.jpg", thumbhash: photo, digest: 1)
    let second = try add("/r/2.jpg", thumbhash: photo, digest: 1)
    _ = try add("/r/3.jpg", thumbhash: "YhgOXZC0Z3iQhnh4eKeHh3+V+H6K", digest: 2)
    _ = try add("/r/4.jpg", thumbhash: nil, digest: 3)
    let index = try moderation.imageIndex()
    #expect(index.count == 3)
    #expect(index.files(like: Self.hash).map(\.file) == [first, second])
    #expect(index.files(like: hash(at: 4)).map(\.distance) == [4, 4])
    #expect(index.files(like: hash(at: 5)).isEmpty)
    #expect(index.files(like: Self.hash, within: 64).count == 3)
  }

  @Test("Files that look like an image are quarantined, except those about which a moderator has decided")
  func existing() throws {
    let photo = "CfcJFwCUeHhPiIdliEd4WHmXdwjIh4AO"
    let files = try (1...5).map { try add("/r/\($0).jpg", thumbhash: photo, digest: $0) }
    let other = try add("/r/6.jpg", thumbhash: "YhgOXZC0Z3iQhnh4eKeHh3+V+H6K", digest: 6)
    try moderation.protect([files[0]], by: "mod", at: 1)
    try moderation.quarantine([files[1]], reason: "rude", by: "mod", at: 1)
    try moderation.release([files[1]], by: "mod", at: 2)
    try moderation.quarantine([files[2]], reason: "rude", by: "mod", at: 1)
    #expect(try moderation.quarantineFiles(like: Self.hash, at: 3) == [files[3], files[4]])
    let decision = try moderation.standing(of: files[3])?.quarantine
    #expect(decision == Moderation.Decision(reason: "looks like a blocked image", actor: "similarity", time: 3))
    #expect(try moderation.standing(of: files[2])?.quarantine?.reason == "rude")
    #expect(try moderation.standing(of: other)?.isHidden == false)
    #expect(try moderation.quarantineFiles(like: Self.hash, at: 4).isEmpty)
  }

  @Test("A file that is released or erased just before it would be quarantined for its look is not quarantined")
  func decidedMeanwhile() throws {
    let photo = "CfcJFwCUeHhPiIdliEd4WHmXdwjIh4AO"
    let files = try (1...3).map { try add("/r/\($0).jpg", thumbhash: photo, digest: $0) }
    try moderation.blockImages(like: Self.hash, reason: "law", by: "mod", at: 1)
    try moderation.quarantine([files[0]], reason: "rude", by: "mod", at: 1)
    try moderation.release([files[0]], by: "mod", at: 2)
    let entries = try moderation.audit(after: nil, limit: 9).entries.count
    // What the search for similar files has found, and somebody erases before they are quarantined.
    let found = try moderation.imageIndex().files(like: Self.hash).map(\.file)
    #expect(found == files)
    let erased = try #require(try test.catalogue.file(files[1]))
    _ = try test.library.erase(.file(files[1]), wiping: false)
    #expect(try !moderation.quarantineIfSimilar(erased, at: 3))
    #expect(try moderation.quarantineUndecided(found, at: 3) == [files[2]])
    #expect(try moderation.audit(after: nil, limit: 9).entries.count == entries + 1, "nothing about the others")
    #expect(try moderation.standing(of: files[1]) == nil)
    #expect(try test.library.verify().isIntact)
  }

  private final class Flag: Sendable {
    let isSet = Mutex(false)
  }

  @Test("What is decided about a file is read in the transaction that quarantines it for its look")
  func decidedInOneTransaction() throws {
    let file = try add("/r/1.jpg", thumbhash: "CfcJFwCUeHhPiIdliEd4WHmXdwjIh4AO", digest: 1)
    let queue = try DatabaseQueue(path: test.folder.path("data/catalogue.sqlite"))
    let release = "INSERT INTO audit (time, actor, action, file) VALUES (2, 'mod', 'release', \(file.rawValue))"
    // Another process releases the file when everything but the writing was done.
    let flag = Flag()
    test.library.database.pool.writeWithoutTransaction { db in
      db.trace { event in
        guard "\(event)".hasPrefix("BEGIN IMMEDIATE"), !flag.isSet.withLock({ $0 }) else { return }
        flag.isSet.withLock { $0 = true }
        try? queue.write { db in try db.execute(sql: release) }
      }
    }
    #expect(try moderation.quarantineUndecided([file], at: 3).isEmpty)
    #expect(flag.isSet.withLock { $0 })
    #expect(try moderation.standing(of: file)?.isHidden == false)
    test.library.database.pool.writeWithoutTransaction { db in db.trace() }
  }

  @Test("A block with a value that no version writes is found and repaired") func damaged() throws {
    try moderation.blockImages(like: Self.hash, reason: "a", by: "mod", at: 1)
    try test.library.database.write { db in
      try db.execute(sql: "UPDATE blocked_image SET distance = 70, reason = x'41'")
    }
    #expect(try !test.library.verify().isIntact)
    _ = try test.library.repair()
    #expect(try test.library.verify().isIntact)
    let block = try moderation.imageBlock(of: Self.hash)
    #expect(block?.distance == ImageHash.standardDistance)
    #expect(block?.decision.reason == "A")
  }
}
