internal import GRDB

/// The statements of blocked images.
extension SQLiteCatalogue {
  func blockImages(_ block: Moderation.ImageBlock, of file: FileID?) throws(LibraryError) {
    try write { db in try Self.blockImages(block, of: file, db) }
  }

  private static func blockImages(_ block: Moderation.ImageBlock, of file: FileID?, _ db: Database) throws {
    let decision = block.decision
    try db.execute(
      sql: """
        INSERT INTO blocked_image (hash, distance, reason, actor, time) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET distance = excluded.distance, reason = excluded.reason, actor = excluded.actor,
          time = excluded.time
        """,
      arguments: [
        Int64(bitPattern: block.hash.bits), block.distance, decision.reason, decision.actor, decision.time,
      ])
    try note(.blockImage, decision, file: file, image: block.hash, db)
  }

  func unblockImages(
    like hash: Moderation.ImageHash, of file: FileID?, _ decision: Moderation.Decision
  ) throws(LibraryError) -> Bool {
    try write { db in try Self.unblockImages(like: hash, of: file, decision, db) }
  }

  private static func unblockImages(
    like hash: Moderation.ImageHash, of file: FileID?, _ decision: Moderation.Decision, _ db: Database
  ) throws -> Bool {
    try db.execute(sql: "DELETE FROM blocked_image WHERE hash = ?", arguments: [Int64(bitPattern: hash.bits)])
    guard db.changesCount > 0 else { return false }
    try note(.unblockImage, decision, file: file, image: hash, db)
    return true
  }

  /// Blocks a content with images that look like it, or neither.
  func block(
    _ content: ContentDigest, with images: Moderation.ImageBlock, of file: FileID
  ) throws(LibraryError) -> [FileID] {
    try write { db in
      try Self.blockImages(images, of: file, db)
      return try Self.block(content, images.decision, db)
    }
  }

  /// Quarantines a file and blocks images that look like it, or neither.
  func quarantine(_ file: FileID, with images: Moderation.ImageBlock) throws(LibraryError) {
    try write { db in
      try Self.setFlag(.quarantined, of: file, images.decision, db)
      try Self.blockImages(images, of: file, db)
    }
  }

  /// Removes the block of a content and that of images that look like it, or neither. Images stay blocked if the content was not.
  func unblock(
    _ content: ContentDigest, withImagesLike hash: Moderation.ImageHash, of file: FileID,
    _ decision: Moderation.Decision
  ) throws(LibraryError) -> [FileID] {
    try write { db in
      guard try Self.block(of: content, db) != nil else { return [] }
      _ = try Self.unblockImages(like: hash, of: file, decision, db)
      return try Self.unblock(content, decision, db)
    }
  }

  func imageBlock(of hash: Moderation.ImageHash) throws(LibraryError) -> Moderation.ImageBlock? {
    let resets = blockedImages.resets
    return try read { db in
      guard let nearest = try blockedImages.nearest(to: hash, after: resets, db) else { return nil }
      let statement = try db.cachedStatement(
        sql: "SELECT reason, actor, time, hash, distance FROM blocked_image WHERE hash = ?")
      return try Row.fetchOne(statement, arguments: [Int64(bitPattern: nearest.bits)])
        .map { try ModerationRows.imageBlock($0) }
    }
  }

  func imageBlocks(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> Moderation.ImageBlockPage {
    let limit = Self.limit(limit)
    let start = try after.map { (cursor) throws(LibraryError) in try CursorWord(cursor, "mi", numbers: 2).numbers }
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT reason, actor, time, hash, distance FROM blocked_image INDEXED BY blocked_image_time
          WHERE (time, hash) < (?, ?) ORDER BY time DESC, hash DESC LIMIT ?
          """, arguments: [start?[0] ?? Int64.max, start?[1] ?? Int64.max, limit + 1])
      var page = Moderation.ImageBlockPage(blocks: try rows.prefix(limit).map(ModerationRows.imageBlock))
      if rows.count > limit, let last = page.blocks.last {
        page.next = CursorWord("mi", [Int64(last.decision.time), Int64(bitPattern: last.hash.bits)]).cursor
      }
      return page
    }
  }

  func imageIndex() throws(LibraryError) -> Moderation.ImageIndex {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT file.id, content.thumbhash FROM content CROSS JOIN file INDEXED BY file_content
          ON file.content IS NOT NULL AND file.content = content.id WHERE typeof(content.thumbhash) = 'text'
          """)
      var index = Moderation.ImageIndex()
      while let row = try rows.next() {
        guard let hash = Moderation.ImageHash(thumbhash: row[1]) else { continue }
        index.add(FileID(rawValue: row[0]), hash)
      }
      return index
    }
  }
}

extension ModerationRows {
  static func imageBlock(_ row: Row) throws -> Moderation.ImageBlock {
    Moderation.ImageBlock(
      hash: Moderation.ImageHash(bits: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 3))),
      distance: try row.decode(atIndex: 4), decision: try decision(row, from: 0))
  }
}
