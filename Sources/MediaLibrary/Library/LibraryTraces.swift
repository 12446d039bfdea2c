internal import FileSupport

/// Remains of a library whose catalogue is missing. If there are any, no empty catalogue is created.
struct LibraryTraces {
  let location: LibraryLocation
  let copy: PathBytes?

  /// The error that states why there is no catalogue to open.
  func missingCatalogue() throws(LibraryError) -> LibraryError {
    guard let trace = try first() else { return noLibrary }
    return LibraryError(
      .catalogueMissing,
      """
      The catalogue \(location.catalogue) does not exist, but \(trace) does. `mediatool verify --rebuild` makes a new catalogue; \
      name the library's copy with --copy if it has one.
      """)
  }

  /// The error that states that there is no library.
  var noLibrary: LibraryError {
    LibraryError(
      .notFound,
      "There is no library in \(location.data). `mediatool scan DIR` creates one; with --library FOLDER, in that folder."
    )
  }

  /// The first remains that are found; nil if there are none.
  func first() throws(LibraryError) -> PathBytes? {
    let log = location.catalogue.suffixed("-wal")
    if StoreFiles.size(log) ?? 0 > 0 { return log }
    if let aside = try SetAsideCatalogues(location).paths().last { return aside }
    if let copy {
      if let snapshot = try Snapshot.all(in: copy).first { return snapshot.path }
      for name in ["originals", "renditions", "orphans", "damaged"] {
        if let path = try filled(copy.appending(name.utf8)) { return path }
      }
    }
    for folder in [location.originals, location.drafts, location.renditions] {
      if let path = try filled(folder) { return path }
    }
    for base in [location.data, location.cache] {
      for name in ["orphans", "damaged"] { if let path = try filled(base.appending(name.utf8)) { return path } }
    }
    // The service's database refers to files by their ids.
    let service = location.data.appending("service.sqlite".utf8)
    if StoreFiles.size(service) ?? 0 > 0 { return service }
    // Checked last: a marker alone means that the library had nothing but its catalogue.
    let marker = location.data.appending(LibraryMarker.name)
    return StoreFiles.size(marker) == nil ? nil : marker
  }

  private func filled(_ folder: PathBytes) throws(LibraryError) -> PathBytes? {
    try StoreFiles.names(in: folder).isEmpty ? nil : folder
  }
}
