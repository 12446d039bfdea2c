internal import FileSupport

/// The moments and trips of a library: what people posted, in contrast to the files that a catalogue knows.
///
/// Every listing names owners and the audience that reads, so that no call can list what somebody may not see; an id of another owner is as unknown as one that
/// was never given. A change is on the disk when the call returns. ``Library/erase(_:wiping:progress:)`` erases moments and trips. Blocking, as ``MediaCatalogue`` is.
public struct Moments: Sendable {
  let database: SQLiteCatalogue
  let location: LibraryLocation
  /// The folder of the library's copy, with its snapshots.
  let copy: PathBytes?
}

extension Library {
  /// The moments and trips.
  public var moments: Moments { Moments(database: database, location: location, copy: options.copy) }
}

extension Moments {
  // MARK: Moments

  /// Adds moments, all or none.
  /// - Returns: Their ids, in the same order.
  /// - Throws: ``LibraryError/Code/invalidRequest`` for a file that does not exist, is another owner's, or is neither a photo, a video nor audio; for a trip that
  ///   is not the owner's.
  @discardableResult
  public func add(_ moments: [Moment.New]) throws(LibraryError) -> [Moment.ID] { try database.add(moments) }

  /// Changes a moment of an owner, completely or not at all (R-MYM-13).
  /// - Parameters:
  ///   - version: The version on which the changes were made; nil for any.
  ///   - time: When, in seconds since 1970.
  /// - Throws: ``LibraryError/Code/versionConflict`` if it has another version by now.
  @discardableResult
  public func change(
    _ id: Moment.ID, of owner: String, version: Int?, at time: Int, _ changes: [Moment.Change]
  ) throws(LibraryError) -> Moment {
    try database.change(id, of: owner, version: version, at: time, changes)
  }

  /// A moment; nil if the scope does not cover it.
  public func moment(_ id: Moment.ID, in scope: Moment.Scope) throws(LibraryError) -> Moment? {
    try database.moment(id, in: scope)
  }

  /// The owner of a moment, whoever may see it: for programs that decide as whom somebody reads.
  public func owner(of id: Moment.ID) throws(LibraryError) -> String? {
    try database.owner(of: id.rawValue, in: "moment")
  }

  /// The moments that have a file, of any owner: for programs that administer a library.
  public func moments(of file: FileID) throws(LibraryError) -> [Moment] { try database.moments(of: file) }

  /// The number of an owner's moments of a kind, also of those that are hidden.
  public func count(of owner: String, _ kind: Moment.Kind) throws(LibraryError) -> Int {
    try database.count(of: owner, kind)
  }

  /// The names of all owners: for programs that administer a library.
  public func owners() throws(LibraryError) -> [String] { try database.owners() }

  /// The moments of a scope in pages, newest or most recently changed first.
  public func newest(
    _ scope: Moment.Scope, by order: Moment.Order = .time, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Moment.Page {
    try database.newest(scope, by: order, after: after, limit: limit)
  }

  /// The moments of a scope whose title and caption have every word of a text as a word or the beginning of one, the newest first (R-MYM-17).
  public func search(
    _ text: String, in scope: Moment.Scope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Moment.Page {
    try database.search(text, in: scope, after: after, limit: limit)
  }

  /// The clusters of the moments of a scope in bounds (R-MYM-14, R-MYM-16), as ``MediaCatalogue/locations(in:zoom:of:)`` those of files. For everything of
  /// owners and friends, sums are stored, also of what is clean (``Library/Options/showsOnlyClean``); with kinds, times or recent activity, moments are read.
  public func locations(in bounds: LocationMap.Bounds, zoom: Int, of scope: Moment.Scope) throws(LibraryError)
    -> LocationMap
  {
    try database.locations(in: bounds, zoom: zoom, of: scope, sorting: 10_000)
  }

  /// The members of a cluster that are in a scope, neighbours together.
  public func members(
    of cluster: LocationMap.Cluster.ID, in scope: Moment.Scope, after: CatalogueFile.Cursor?, limit: Int
  ) throws(LibraryError) -> Moment.Page {
    try database.members(of: cluster, in: scope, after: after, limit: limit)
  }

  // MARK: Files

  /// Notes that something else than a moment uses a file of the library, such as a message: erasing the moments of the file keeps the file until every use has
  /// ended. A name is noted once.
  public func addUse(_ name: String, of file: FileID) throws(LibraryError) { try database.addUse(name, of: file) }

  /// The name under which a service notes that it uses a file.
  package static let serviceUse = "service"

  /// Ends a use of a file. Erases nothing: that is what erasing the moments of the file does.
  public func endUse(_ name: String, of file: FileID) throws(LibraryError) { try database.endUse(name, of: file) }

  // MARK: Locations

  /// An owner's location-sharing setting. An owner without one has ``Moment/LocationSharing/private``.
  public func locationSharing(of owner: String) throws(LibraryError) -> Moment.LocationSharing {
    try database.locationSharing(of: owner)
  }

  /// Sets an owner's location-sharing setting (R-MYM-27).
  /// - Parameter applyingToExisting: Whether it applies to what the owner has already, and not only to what is added. With ``Moment/LocationSharing/none``, the locations
  ///   of the owner's moments and files are erased, also within facts and in the snapshots of the copy; bytes of originals stay as they are.
  /// - Parameter wiping: Whether to rewrite the database then, so that it has no old bytes. Default true. If false, ``Library/wipe()`` does it later.
  /// - Returns: Files that may still contain the locations: unreadable snapshots, catalogues that a rebuild set aside, and
  ///   ``ErasureRequest/Report/copy`` if the library has a copy that is not open, or whose disk is away. Empty unless locations are erased.
  @discardableResult
  public func setLocationSharing(
    _ sharing: Moment.LocationSharing, of owner: String, applyingToExisting: Bool = false, wiping: Bool = true
  ) throws(LibraryError) -> [String] {
    guard sharing == Moment.LocationSharing.none, applyingToExisting else {
      try database.setLocationSharing(sharing, of: owner, applyingToExisting: applyingToExisting)
      return []
    }
    guard database.access == .writing else {
      throw LibraryError.onlyReading(location.data)
    }
    let aside = try SetAsideCatalogues(location).paths()
    var missed: [String] = []
    if try LibraryMarker.isCopyAway(copy, of: location) { missed = [ErasureRequest.Report.copy] }
    let unreadable = try database.snapshots.erase { () throws(LibraryError) -> [PathBytes] in
      // The snapshots first, so that a process that dies in between has not reported what it has not done.
      var unreadable: [PathBytes] = []
      if let copy { unreadable = try SnapshotLocations(of: owner, in: database).erase(in: copy) }
      try database.setLocationSharing(sharing, of: owner, applyingToExisting: true)
      return unreadable
    }
    if wiping { _ = try database.wipe(waits: true) }
    return (unreadable + aside).map(\.description) + missed
  }
}
