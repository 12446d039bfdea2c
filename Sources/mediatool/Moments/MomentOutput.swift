internal import ArgumentParser
internal import MediaLibrary

/// Which part of the map `mediatool moments map` prints.
struct MomentMapOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With map, only this part of the map, in degrees; west is greater than east if the part crosses the 180th meridian. (default: the world)",
      valueName: "south,west,north,east"),
    transform: BoundsArgument.parse)
  var bounds: BoundsArgument?

  @Option(
    help: ArgumentHelp("With map, cluster at this zoom level, 0 to 20. (default: 2)", valueName: "n"),
    transform: Number.parser(0...20))
  var zoom: Int?

  @Option(
    help: ArgumentHelp(
      "With map, list the moments of the cluster with this id, as printed without --open.",
      valueName: "id"))
  var open: String?
}

/// Prints moments and clusters of moments.
struct MomentOutput {
  let library: Library
  let listing: ListingOptions
  private let writer = ResultWriter()
  private let table = Table(columns: MomentRecord.columns)

  init(library: Library, listing: ListingOptions) { (self.library, self.listing) = (library, listing) }

  /// Prints one moment in JSON.
  func write(_ moment: Moment) throws { try writer.write(line: JSONLine.text(try record(moment))) }

  /// Prints the moments of a scope that have all words, or all of them.
  func list(_ scope: Moment.Scope, words: String, byChange: Bool) throws {
    try pages { after, limit in
      words.isEmpty
        ? try library.moments.newest(scope, by: byChange ? .activity : .time, after: after, limit: limit)
        : try library.moments.search(words, in: scope, after: after, limit: limit)
    }
  }

  /// Prints the clusters of a scope, or the moments of one of them.
  func map(_ scope: Moment.Scope, _ options: MomentMapOptions) throws {
    if let open = options.open {
      let cluster = LocationMap.Cluster.ID(rawValue: open)
      return try pages { try library.moments.members(of: cluster, in: scope, after: $0, limit: $1) }
    }
    let map = try library.moments.locations(in: options.bounds?.value ?? .world, zoom: options.zoom ?? 2, of: scope)
    let table = Table(columns: MomentClusterRecord.columns)
    if listing.showsTable { try writer.write(line: table.heading) }
    for cluster in map.clusters {
      let record = MomentClusterRecord(cluster, zoom: map.zoom)
      try writer.write(line: listing.showsTable ? table.line(record.cells) : JSONLine.text(record))
    }
  }

  private func pages(_ page: (CatalogueFile.Cursor?, Int) throws -> Moment.Page) throws {
    if listing.showsTable { try writer.write(line: table.heading) }
    var shown = 0
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try page(after, min(500, listing.maximum - shown))
      for moment in page.moments {
        let record = try record(moment)
        try writer.write(line: listing.showsTable ? table.line(record.cells) : JSONLine.text(record))
      }
      for id in page.damaged { Diagnostics.note("skipped a damaged row of the catalogue: moment \(id.rawValue)") }
      shown += page.moments.count
      after = page.next
    } while after != nil && shown < listing.maximum
  }

  private func record(_ moment: Moment) throws -> MomentRecord {
    MomentRecord(moment, path: try moment.file.flatMap { try library.catalogue.file($0)?.stamp.path })
  }
}

/// A cluster of moments in JSON: the keys of `mediatool locations`, and the id of the only moment of a cluster of one.
struct MomentClusterRecord: Encodable {
  private let id: LocationMap.Cluster.ID
  private let count: Int
  private let zoom: Int
  private let bounds: LocationMap.Bounds
  private let centre: LocationMap.Point
  private let anchor: LocationMap.Point
  private let moment: Moment.ID?

  init(_ cluster: LocationMap.Cluster, zoom: Int) {
    (id, count, self.zoom, moment) = (cluster.id, cluster.count, zoom, cluster.moment)
    (bounds, centre, anchor) = (cluster.bounds, cluster.centre, cluster.anchor)
  }

  static let columns = [
    Table.Column(title: "MOMENTS", width: 9, priority: 1, alignsRight: true),
    Table.Column(title: "LATITUDE", width: 9, alignsRight: true),
    Table.Column(title: "LONGITUDE", width: 10, alignsRight: true), Table.Column(title: "ID", width: 4...40),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell("\(count)"), Table.Cell(Self.degrees(centre.latitude)), Table.Cell(Self.degrees(centre.longitude)),
      Table.Cell(id.rawValue, .quiet),
    ]
  }

  private static func degrees(_ value: Double) -> String { value.rounded(toPlaces: 4).map { "\($0)" } ?? "" }
}
