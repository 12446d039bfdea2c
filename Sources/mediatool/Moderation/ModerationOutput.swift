internal import FileSupport
internal import MediaLibrary

/// Prints moderation decisions.
struct ModerationOutput {
  let library: Library
  let listing: ListingOptions
  private let writer = ResultWriter()

  init(library: Library, listing: ListingOptions) { (self.library, self.listing) = (library, listing) }

  // MARK: Lists

  func quarantined() throws {
    var damaged = DamagedRows()
    try pages(ModerationRecord.columns) { after, limit in
      let page = try library.catalogue.files(of: .quarantined, in: .all, after: after, limit: limit)
      for file in page.damaged { damaged.note(file) }
      let records = try page.files.compactMap { file in
        try library.moderation.standing(of: file.id).map { ModerationRecord(file, $0) }
      }
      return (records.map { ($0, $0.cells) }, page.next)
    }
    try damaged.end()
  }

  func blocked() throws {
    try pages(BlockRecord.columns) { after, limit in
      let page = try library.moderation.blocks(after: after, limit: limit)
      let records = page.blocks.map { BlockRecord($0.content, isBlocked: true, $0.decision) }
      return (records.map { ($0, $0.cells) }, page.next)
    }
  }

  /// Prints the files of contents that no scanner could scan and nobody has decided about. The limit counts contents.
  func unscannable() throws {
    let table = Table(columns: ScannedRecord.columns)
    if listing.showsTable { try writer.write(line: table.heading) }
    var shown = 0
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try library.moderation.unscannable(after: after, limit: min(500, listing.maximum - shown))
      for record in try page.verdicts.flatMap({ try ScannedRecord.all($0, in: library) }) {
        try writer.write(line: listing.showsTable ? table.line(record.cells) : JSONLine.text(record))
      }
      shown += page.verdicts.count
      after = page.next
    } while after != nil && shown < listing.maximum
  }

  func reports() throws {
    try pages(ReportRecord.columns) { after, limit in
      let page = try library.moderation.reports(after: after, limit: limit)
      let records = try page.reports.map { report in
        ReportRecord(report, path: try report.file.flatMap { try library.catalogue.file($0)?.stamp.path })
      }
      return (records.map { ($0, $0.cells) }, page.next)
    }
  }

  func held() throws {
    try pages(HeldMomentRecord.columns) { after, limit in
      let page = try library.moderation.heldMoments(after: after, limit: limit)
      for id in page.damaged { Diagnostics.note("skipped a damaged row of the catalogue: moment \(id.rawValue)") }
      let records = try page.moments.compactMap { moment in
        try library.moderation.standing(ofMoment: moment.id).map { HeldMomentRecord(moment, $0) }
      }
      return (records.map { ($0, $0.cells) }, page.next)
    }
  }

  func heldTrips() throws {
    try pages(HeldTripRecord.columns) { after, limit in
      let page = try library.moderation.heldTrips(after: after, limit: limit)
      for id in page.damaged { Diagnostics.note("skipped a damaged row of the catalogue: trip \(id.rawValue)") }
      let records = try page.trips.compactMap { trip in
        try library.moderation.standing(ofTrip: trip.id).map { HeldTripRecord(trip, $0) }
      }
      return (records.map { ($0, $0.cells) }, page.next)
    }
  }

  func audit() throws {
    try pages(AuditRecord.columns) { after, limit in
      let page = try library.moderation.audit(after: after, limit: limit)
      let records = page.entries.map { AuditRecord($0) }
      return (records.map { ($0, $0.cells) }, page.next)
    }
  }

  /// Prints records page by page, up to the limit.
  private func pages<Record: Encodable>(
    _ columns: [Table.Column],
    _ page: (CatalogueFile.Cursor?, Int) throws -> ([(record: Record, cells: [Table.Cell])], CatalogueFile.Cursor?)
  ) throws {
    let table = Table(columns: columns)
    if listing.showsTable { try writer.write(line: table.heading) }
    var shown = 0
    var after: CatalogueFile.Cursor?
    repeat {
      let (rows, next) = try page(after, min(500, listing.maximum - shown))
      for row in rows {
        try writer.write(line: listing.showsTable ? table.line(row.cells) : JSONLine.text(row.record))
      }
      shown += rows.count
      after = next
    } while after != nil && shown < listing.maximum
  }

  func blockedImages() throws {
    try pages(ImageBlockRecord.columns) { after, limit in
      let page = try library.moderation.imageBlocks(after: after, limit: limit)
      let records = page.blocks.map { ImageBlockRecord($0) }
      return (records.map { ($0, $0.cells) }, page.next)
    }
  }

  /// Prints the files that look like images, the nearest first.
  func similar(_ hashes: [Moderation.ImageHash], within distance: Int) throws {
    let index = try library.moderation.imageIndex()
    let found = hashes.flatMap { hash in index.files(like: hash, within: distance).map { (hash, $0) } }
    var rest = found[...]
    try pages(SimilarRecord.columns) { _, limit in
      let page = rest.prefix(limit)
      rest = rest.dropFirst(limit)
      let records = try page.map { hash, match in
        SimilarRecord(hash, match, path: try library.catalogue.file(match.file)?.stamp.path)
      }
      // The position is in `rest`; a cursor only says that there is more.
      return (records.map { ($0, $0.cells) }, rest.isEmpty ? nil : CatalogueFile.Cursor(rawValue: ""))
    }
  }

  // MARK: Decisions

  /// Prints an image that was blocked or unblocked.
  func write(_ hash: Moderation.ImageHash, isBlocked: Bool) throws {
    let block = try library.moderation.imageBlock(of: hash).flatMap { $0.hash == hash ? $0 : nil }
    try writer.write(line: JSONLine.text(ImageBlockRecord(hash, isBlocked: isBlocked, block)))
  }

  /// Prints what was decided about a file.
  func write(_ id: FileID) throws {
    guard let file = try library.catalogue.file(id), let standing = try library.moderation.standing(of: id) else {
      return
    }
    try writer.write(line: JSONLine.text(ModerationRecord(file, standing)))
  }

  /// Prints what was decided about a moment.
  func write(_ id: Moment.ID) throws {
    guard let moment = try library.moderation.moment(id),
      let standing = try library.moderation.standing(ofMoment: id)
    else { return }
    try writer.write(line: JSONLine.text(HeldMomentRecord(moment, standing)))
  }

  /// Prints what was decided about a trip.
  func write(_ id: Trip.ID) throws {
    guard let trip = try library.moderation.trip(id), let standing = try library.moderation.standing(ofTrip: id) else {
      return
    }
    try writer.write(line: JSONLine.text(HeldTripRecord(trip, standing)))
  }

  /// Prints a file content that was blocked or unblocked, with the number of its files.
  func write(_ content: ContentDigest, isBlocked: Bool, files: [FileID]) throws {
    let decision = try library.moderation.block(of: content)
    try writer.write(line: JSONLine.text(BlockRecord(content, isBlocked: isBlocked, decision, files: files)))
  }
}
