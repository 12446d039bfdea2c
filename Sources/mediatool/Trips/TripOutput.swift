internal import MediaLibrary

/// Prints trips, their moments and their paths.
struct TripOutput {
  let library: Library
  let listing: ListingOptions
  private let writer = ResultWriter()

  init(library: Library, listing: ListingOptions) { (self.library, self.listing) = (library, listing) }

  func list(words: [String], owner: String?, byTitle: Bool) throws {
    let owners = try owner.map { [$0] } ?? library.moments.owners()
    let text = words.joined(separator: " ")
    let table = Table(columns: TripRecord.columns)
    if listing.showsTable { try writer.write(line: table.heading) }
    var shown = 0
    var after: CatalogueFile.Cursor?
    repeat {
      let limit = min(500, listing.maximum - shown)
      let page =
        text.isEmpty
        ? try library.moments.trips(of: owners, by: byTitle ? .title : .started, after: after, limit: limit)
        : try library.moments.searchTrips(text, of: owners, after: after, limit: limit)
      for trip in page.trips {
        let record = TripRecord(trip)
        try writer.write(line: listing.showsTable ? table.line(record.cells) : JSONLine.text(record))
      }
      for id in page.damaged { Diagnostics.note("skipped a damaged row of the catalogue: trip \(id.rawValue)") }
      shown += page.trips.count
      after = page.next
    } while after != nil && shown < listing.maximum
  }

  func write(_ trip: Trip) throws { try writer.write(line: JSONLine.text(TripRecord(trip))) }

  /// Prints a trip, then its moments.
  func show(_ trip: Trip) throws {
    let table = Table(columns: MomentRecord.columns)
    try writer.write(line: listing.showsTable ? table.heading : JSONLine.text(TripRecord(trip)))
    var shown = 0
    var after: CatalogueFile.Cursor?
    repeat {
      let limit = min(500, listing.maximum - shown)
      let page = try library.moments.moments(of: trip.id, of: [trip.owner], after: after, limit: limit)
      for moment in page.moments {
        let path = try moment.file.flatMap { try library.catalogue.file($0)?.stamp.path }
        let record = MomentRecord(moment, path: path)
        try writer.write(line: listing.showsTable ? table.line(record.cells) : JSONLine.text(record))
      }
      for id in page.damaged { Diagnostics.note("skipped a damaged row of the catalogue: moment \(id.rawValue)") }
      shown += page.moments.count
      after = page.next
    } while after != nil && shown < listing.maximum
  }

  func path(_ trip: Trip, _ drawing: TripDrawing) throws {
    guard let path = try library.moments.path(of: trip.id, of: [trip.owner], rules: drawing.rules) else { return }
    let document = path.geoJSON
    if drawing.geojson { return try writer.write(line: JSONLine.text(document)) }
    for feature in document.features { try writer.write(line: JSONLine.text(feature)) }
  }
}
