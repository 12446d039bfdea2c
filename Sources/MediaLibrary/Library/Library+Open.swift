internal import FileSupport

extension Library {
  /// Opens a library, and first finishes erasures that a process left unfinished.
  /// - Throws: ``LibraryError/Code/notFound`` if there is no library, ``LibraryError/Code/catalogueMissing`` if only its catalogue is missing,
  ///   ``LibraryError/Code/noCopy`` and ``LibraryError/Code/otherCopy`` for a folder that is not the library's copy; other codes for a catalogue
  ///   that is damaged, of another program, or of another version.
  public static func open(
    at location: LibraryLocation, for access: Access, options: Options = Options()
  ) throws(LibraryError) -> Library {
    // The database takes its path as text.
    guard String(validating: location.data.bytes, as: UTF8.self) != nil else {
      throw LibraryError(.invalidRequest, "The path of a library must be valid UTF-8.", path: location.data)
    }
    let traces = LibraryTraces(location: location, copy: options.copy)
    let isThere = try CatalogueProbe(path: location.catalogue).checkHeader()
    if !isThere {
      let isNew = try traces.first() == nil
      guard access == .creating, isNew else { throw try traces.missingCatalogue() }
    }
    let copy = CopyFolder(options, of: location)
    try copy?.check(for: access == .reading ? .reading : .writing)
    guard access != .reading else { return try opened(at: location, options: options, lock: nil) }
    let lock = try WriterLock(folder: location.data)
    do throws(LibraryError) {
      if try !CatalogueProbe(path: location.catalogue).checkHeader() {
        // Another process may have created it meanwhile.
        if try traces.first() != nil { throw try traces.missingCatalogue() }
        try create(at: location)
      }
      return try opened(at: location, options: options, lock: lock)
    } catch {
      lock.release()
      throw error
    }
  }

  /// Creates an empty catalogue atomically.
  private static func create(at location: LibraryLocation) throws(LibraryError) {
    let candidate = CatalogueCandidate(in: location)
    try candidate.makeEmpty()
    try StoreFiles.move(candidate.path, to: location.catalogue)
    try StoreFiles.sync(location.data)
  }

  /// Opens an existing catalogue.
  /// - Parameter joinsCopy: Whether an adopted copy of another library becomes part of this one.
  static func opened(
    at location: LibraryLocation, options: Options, lock: WriterLock?, joinsCopy: Bool = false
  ) throws(LibraryError) -> Library {
    let access: Access = lock == nil ? .reading : .writing
    // Read first, because opening another program's database for writing changes it.
    let probe = CatalogueProbe(path: location.catalogue)
    if access == .writing, try !probe.hasCatalogueHeader() { try probe.read { _ in } }
    let database = try SQLiteCatalogue(
      path: location.catalogue, access: access, options: options,
      store: DirectoryStore(folder: location.renditions))
    if !options.opensDamaged { try database.read { db in try CatalogueShape(db).check() } }
    let library = Library(location: location, access: access, options: options, database: database, lock: lock)
    guard access == .writing else { return library }
    if let copy = CopyFolder(options, of: location) {
      try copy.mark(joins: joinsCopy)
    } else if try LibraryMarker.read(in: location.data) == nil {
      try LibraryMarker.new().write(in: location.data)
    }
    do throws(LibraryError) { try database.ids.start(in: location.data, database) } catch  where options.opensDamaged {}
    // With a part of its schema missing, an erasure waits for the repair.
    if !options.opensDamaged { try library.finishErasures() }
    return library
  }
}
