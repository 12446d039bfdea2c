extension Library {
  /// Opens a library whose catalogue is damaged or gone: with the fullest of what the catalogue, the snapshots in the copy, and what an interrupted rebuild set aside
  /// still hold, else an empty one. It is made beside and checked before it replaces anything. Then everything that the stores have is put in, as by
  /// ``repair(_:)``; renditions that no file has stay where they are. What lies in other folders comes back with the next scan of these; files whose digests
  /// are known are not decoded again.
  ///
  /// The old catalogue is kept, with its log, as `catalogue.sqlite.damaged-1` and on.
  /// - Parameter accepting: Asked before something is replaced that knew more, or may have. Default: nothing is to be lost.
  /// - Throws: ``LibraryError/Code/wouldLose`` when that was not accepted, ``LibraryError/Code/newerSchema`` for a catalogue of a newer version,
  ///   ``LibraryError/Code/noCopy`` for a copy with nothing in it. Nothing has changed then.
  public static func rebuild(
    at location: LibraryLocation, options: Options = Options(), accepting: (RebuildPlan) -> Bool = { _ in false },
    _ found: (LibraryProblem) -> Void = { _ in }
  ) throws(LibraryError) -> (library: Library, report: VerificationReport) {
    let traces = LibraryTraces(location: location, copy: options.copy)
    let trace = try traces.first()
    guard StoreFiles.size(location.catalogue) != nil || trace != nil else {
      throw LibraryError(.notFound, "The library does not exist.", detail: "\(location.data)")
    }
    try CopyFolder(options, of: location)?.check(for: .rebuilding)
    // Held until the library is closed: nobody else may have it open for writing.
    let lock = try WriterLock(folder: location.data)
    do throws(LibraryError) {
      try CatalogueRebuild(location: location, options: options).run(accepting: accepting)
      let library = try opened(at: location, options: options, lock: lock)
      return (library, try library.repair(isRebuilt: true, found))
    } catch {
      lock.release()
      throw error
    }
  }
}
