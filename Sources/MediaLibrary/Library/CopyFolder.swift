internal import FileSupport

/// Verifies that a folder is the copy of a library before it is compared, written or read.
struct CopyFolder {
  /// The access that is needed.
  enum Purpose {
    case reading
    case writing
    case rebuilding
  }

  let folder: PathBytes
  let location: LibraryLocation
  /// Whether the user stated that this is the copy, whatever it contains.
  let isAdopted: Bool

  /// Nil if the options name no copy.
  init?(_ options: Library.Options, of location: LibraryLocation) {
    guard let copy = options.copy else { return nil }
    (folder, self.location, isAdopted) = (copy, location, options.adoptsCopy)
  }

  /// Fails unless the folder is the library's copy, or may become it.
  func check(for purpose: Purpose) throws(LibraryError) {
    try checkIsApart()
    let library = try LibraryMarker.read(in: location.data)
    if let marker = try LibraryMarker.read(in: folder) {
      guard marker.role == .copy else {
        throw LibraryError(
          .invalidRequest, "The folder of the copy is itself a library; name another folder.", path: folder)
      }
      if isAdopted || marker.library == library?.library { return }
      if library == nil {
        if purpose == .rebuilding { return }
        if try sharesLineage() { return }
      }
      throw refusal(.otherCopy, "The folder of the copy belongs to another library.")
    }
    let names = try contents()
    if names.isEmpty {
      if isAdopted, purpose != .reading { return }
      if purpose == .writing, library?.hasCopy != true { return }
      throw refusal(.noCopy, "The folder of the copy does not exist or is empty; check that its disk is mounted.")
    }
    if isAdopted { return }
    if library?.hasCopy != true, names.allSatisfy(Self.isOfCopy) { return }
    throw refusal(.noCopy, "The folder of the copy contains other files and no library.json.")
  }

  /// Marks both folders, once the library is open for writing. The library's marker mentions the copy last: a process that dies before has none.
  /// - Parameter joins: Whether files of another library's copy become part of this one, as a rebuild needs. Otherwise they are set aside.
  func mark(joins: Bool) throws(LibraryError) {
    try StoreFiles.makeFolder(folder)
    var copy = try LibraryMarker.read(in: folder)
    let library = try LibraryMarker.read(in: location.data)
    var marker = library ?? LibraryMarker.new()
    if library == nil {
      // A library that was lost with its marker takes its id from the copy.
      if let copy, copy.role == .copy { marker.library = copy.library }
      try marker.write(in: location.data)
    }
    if let other = copy, other.role == .copy, other.library != marker.library, !joins {
      try setAside(other)
      copy = nil
    }
    let wanted = LibraryMarker(role: .copy, library: marker.library, hasCopy: nil)
    if copy != wanted { try wanted.write(in: folder) }
    guard marker.hasCopy != true else { return }
    marker.hasCopy = true
    try marker.write(in: location.data)
  }

  /// Moves the copy of another library into a subfolder, where it stays the copy of that library. Its marker is moved last: a process that dies
  /// before leaves a folder that is still that library's.
  private func setAside(_ other: LibraryMarker) throws(LibraryError) {
    // The id becomes part of a path.
    let id = other.library.utf8.filter { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    let name = Array("library-".utf8) + id.prefix(64)
    var (aside, number) = (folder.appending(name), 1)
    // One without a marker is of a move that was interrupted.
    while StoreFiles.size(aside.appending(LibraryMarker.name)) != nil {
      number += 1
      aside = folder.appending(name + Array("-\(number)".utf8))
    }
    try StoreFiles.makeFolder(aside)
    for name in try contents() where Self.isOfCopy(name) && name != LibraryMarker.name {
      try StoreFiles.move(folder.appending(name), to: aside.appending(name))
    }
    try StoreFiles.sync(aside)
    try StoreFiles.move(folder.appending(LibraryMarker.name), to: aside.appending(LibraryMarker.name))
    for changed in [aside, folder] { try StoreFiles.sync(changed) }
  }

  private func refusal(_ code: LibraryError.Code, _ message: String) -> LibraryError {
    LibraryError(
      code, "\(message) Name the folder that has this library's copy, or adopt this one to start a new copy in it.",
      path: folder)
  }

  /// Refuses a copy inside the library's folders, and a library inside the copy.
  private func checkIsApart() throws(LibraryError) {
    for own in [location.data, location.cache] {
      if let one = FileIdentity(ofFolder: own), one == FileIdentity(ofFolder: folder) {
        throw LibraryError(
          .invalidRequest,
          "The folder of the copy is the folder of the library; name another one, if possible on a different disk.",
          path: folder)
      }
    }
  }

  /// Whether the copy has a snapshot of the library's catalogue.
  private func sharesLineage() throws(LibraryError) -> Bool {
    guard case .catalogue(_, let lineage) = CatalogueProbe(path: location.catalogue).look(), lineage.number != 0 else {
      return false
    }
    for snapshot in try Snapshot.all(in: folder) {
      guard case .catalogue(_, let saved) = CatalogueProbe(path: snapshot.path).look() else { continue }
      if saved.number == lineage.number { return true }
    }
    return false
  }

  /// The names in the folder, without those that a file system creates.
  private func contents() throws(LibraryError) -> [[UInt8]] {
    try StoreFiles.names(in: folder).filter { $0 != Array("lost+found".utf8) && !AtomicFile.isTemporary($0) }
  }

  /// Whether a name belongs to a copy made before there were markers.
  private static func isOfCopy(_ name: [UInt8]) -> Bool {
    ["renditions", "originals", "orphans", "damaged", "library.json"].contains { Array($0.utf8) == name }
      || Snapshot.sequence(of: name) != nil || name.starts(with: Snapshot.besidePrefix)
  }
}
