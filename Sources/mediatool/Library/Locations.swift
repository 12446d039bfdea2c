internal import ArgumentParser
internal import MediaLibrary

/// `mediatool locations`: shows where the files of a library were taken.
struct Locations: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locations",
    abstract: "List the locations of a library's files, grouped into map clusters.",
    discussion: """
      Prints one line per cluster: the number of files, their bounds and centre, and an anchor, the point at which to draw the cluster's icon so that \
      icons do not overlap. Clusters of one zoom level never overlap. --open lists the files of one cluster, each with a position for \
      drawing it around the icon. Files without a location are omitted. Reads only the library, not the files.

      EXAMPLES
        mediatool locations --zoom 4
        mediatool locations --bounds 45.8,5.9,47.9,10.6 --zoom 8 --json
        mediatool locations --since 2024-06-01 --until 2024-07-01
        mediatool locations --open 6.1874

      EXIT STATUS
        0    the locations were listed, if any
        1    some rows of the library are damaged and were skipped
        64   the command line is invalid, or there is no library
        70   the library cannot be read, or results cannot be written
      """)

  @Option(
    help: ArgumentHelp(
      "Include only this part of the map, in degrees; west is greater than east if the part crosses the 180th meridian. (default: the world)",
      valueName: "south,west,north,east"),
    transform: BoundsArgument.parse)
  var bounds: BoundsArgument?

  @Option(
    help: ArgumentHelp(
      "Cluster at this zoom level, 0 to 20; at 0 the world is 256 pixels wide, and each level doubles the scale. (default: 2)",
      valueName: "n"),
    transform: Number.parser(0...20))
  var zoom: Int?

  @Option(
    help: ArgumentHelp(
      "List the files of the cluster with this id, as printed without --open.", valueName: "id"))
  var open: String?

  @Option(
    help: ArgumentHelp(
      "Include only files of this owner (set by an app or with `mediatool set`).", valueName: "name"))
  var owner: String?

  @OptionGroup var days: DayOptions
  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var listing: ListingOptions

  func validate() throws {
    if open != nil, bounds != nil || zoom != nil {
      throw ValidationError("--open cannot be combined with --bounds or --zoom.")
    }
  }

  /// A cluster in JSON.
  private struct Record: Encodable {
    let id: LocationMap.Cluster.ID
    let count: Int
    let zoom: Int
    let bounds: LocationMap.Bounds
    let centre: LocationMap.Point
    let anchor: LocationMap.Point
  }

  static let columns = [
    Table.Column(title: "FILES", width: 9, priority: 1, alignsRight: true),
    Table.Column(title: "LATITUDE", width: 9, alignsRight: true),
    Table.Column(title: "LONGITUDE", width: 10, alignsRight: true), Table.Column(title: "ID", width: 4...40),
  ]

  func run() throws {
    let catalogue = try libraryOptions.open(for: .reading).catalogue
    try LibraryOptions.run {
      if let open { return try showMembers(of: LocationMap.Cluster.ID(rawValue: open), catalogue) }
      let map = try catalogue.locations(in: bounds?.value ?? .world, zoom: zoom ?? 2, of: scope)
      let writer = ResultWriter()
      let table = Table(columns: Self.columns)
      if listing.showsTable { try writer.write(line: table.heading) }
      for cluster in map.clusters {
        guard listing.showsTable else {
          try writer.write(
            line: JSONLine.text(
              Record(
                id: cluster.id, count: cluster.count, zoom: map.zoom, bounds: cluster.bounds, centre: cluster.centre,
                anchor: cluster.anchor)))
          continue
        }
        try writer.write(
          line: table.line([
            Table.Cell("\(cluster.count)"), Table.Cell(Self.degrees(cluster.centre.latitude)),
            Table.Cell(Self.degrees(cluster.centre.longitude)), Table.Cell(cluster.id.rawValue, .quiet),
          ]))
      }
    }
  }

  private var scope: CatalogueScope { CatalogueScope(owner: owner, times: days.times) }

  private func showMembers(of cluster: LocationMap.Cluster.ID, _ catalogue: any MediaCatalogue) throws {
    let maximum = min(listing.maximum, LocationMap.Layout.capacity)
    var count = 0
    var after: CatalogueFile.Cursor?
    // All members are read first, because their number decides the positions.
    repeat {
      let page = try catalogue.members(of: cluster, in: scope, after: after, limit: 500)
      count += page.files.count
      after = page.next
    } while after != nil && count < maximum
    let offsets = LocationMap.Layout().offsets(of: min(count, maximum))
    try listing.show {
      try catalogue.members(of: cluster, in: scope, after: $0, limit: $1)
    } record: { (file, number) throws(LibraryError) in
      try LibraryRecord(file, offset: number < offsets.count ? offsets[number] : nil)
    }.end()
  }

  private static func degrees(_ value: Double) -> String { value.rounded(toPlaces: 4).map { "\($0)" } ?? "" }
}

/// `--bounds`: south, west, north, east.
struct BoundsArgument: CheckedArgument {
  let value: LocationMap.Bounds

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 4, let south = numbers[0], let west = numbers[1], let north = numbers[2],
      let east = numbers[3],
      let bounds = LocationMap.Bounds(south: south, west: west, north: north, east: east)
    else { return nil }
    value = bounds
  }

  static var allowed: String { "south,west,north,east in degrees, with south not above north" }
}
