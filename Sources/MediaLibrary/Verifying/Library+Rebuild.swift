extension Library {
  /// Opens a library whose catalogue is damaged or missing, with a new catalogue from the fullest of the old one, the snapshots in the copy, and
  /// those that an interrupted rebuild set aside; otherwise with an empty one. A catalogue with damaged pages is copied as far as it can be read, and
  /// files on these pages are taken from a snapshot. The new catalogue is checked before it replaces anything. Then the
  /// originals in the stores are added, as by ``repair(_:)``. Renditions that no file uses stay where they are. Files in other folders come back
  /// with the next scan of these folders; files with known digests are not decoded again.
  ///
  /// The old catalogue is kept, with its log, as `catalogue.sqlite.damaged-1` and following numbers.
  /// - Parameter accepting: Asked before a catalogue that has more data, or may have, is replaced. Default: refuses any loss.
  /// - Throws: ``LibraryError/Code/wouldLose`` if the loss was not accepted, ``LibraryError/Code/newerSchema`` for a catalogue of a newer version,
  ///   ``LibraryError/Code/noCopy`` for an empty copy. Nothing has changed then.
  public static func rebuild(
    at location: LibraryLocation, options: Options = Options(), accepting: (RebuildPlan) -> Bool = { _ in false },
    _ found: (VerificationReport.Problem) -> Void = { _ in }
  ) throws(LibraryError) -> (library: Library, report: VerificationReport) {
    let traces = LibraryTraces(location: location, copy: options.copy)
    let trace = try traces.first()
    guard StoreFiles.size(location.catalogue) != nil || trace != nil else {
      throw traces.noLibrary
    }
    try CopyFolder(options, of: location)?.check(for: .rebuilding)
    // Held until the library is closed, so that no other process opens it for writing.
    let lock = try WriterLock(folder: location.data)
    do throws(LibraryError) {
      let plan = try CatalogueRebuild(location: location, options: options).run(accepting: accepting)
      let library = try opened(at: location, options: options, lock: lock, joinsCopy: true)
      var report = try library.repair(isRebuilt: true, found)
      report.rebuildOrigin = plan.origin
      return (library, report)
    } catch {
      lock.release()
      throw error
    }
  }
}
