internal import FileSupport

/// Replaces a damaged or missing catalogue. Everything is made and checked beside first; the old catalogue is kept under another name.
struct CatalogueRebuild {
  let location: LibraryLocation
  let options: Library.Options

  /// Makes the catalogue and puts it in its place, unless that loses something that nobody accepted. The caller holds the ``WriterLock``.
  func run(accepting: (RebuildPlan) -> Bool) throws(LibraryError) {
    let candidate = CatalogueCandidate(in: location)
    do throws(LibraryError) {
      let plan = try makeFullest(candidate)
      if plan.losesRows, !accepting(plan) {
        throw LibraryError(
          .wouldLose,
          "A rebuild would lose data of the catalogue. \(plan) To rebuild anyway, use --yes; the old file is kept.",
          detail: "\(location.catalogue)")
      }
      try replace(by: candidate)
    } catch {
      // What was there is as it was.
      _ = try? candidate.remove()
      throw error
    }
  }

  /// A catalogue that may be used, and what can be read in it.
  private struct Source {
    let path: PathBytes
    let contents: CatalogueContents
  }

  /// Makes the candidate from whichever readable catalogue knows most and is whole.
  private func makeFullest(_ candidate: CatalogueCandidate) throws(LibraryError) -> RebuildPlan {
    var plan = RebuildPlan()
    for source in try sources(&plan) {
      do throws(LibraryError) {
        plan.contents = try candidate.make(from: source.path)
        plan.source = source.path
        return plan
      } catch  where error.code == .diskFull {
        throw error
      } catch {
        plan.unusable.append("\(source.path): \(error.message)\(error.detail.map { " (\($0))" } ?? "")")
      }
    }
    plan.contents = CatalogueContents()
    try candidate.makeEmpty()
    return plan
  }

  /// The catalogue, what an interrupted rebuild has set aside, and the snapshots; the fullest first.
  private func sources(_ plan: inout RebuildPlan) throws(LibraryError) -> [Source] {
    var paths = [location.catalogue]
    if StoreFiles.size(location.catalogue) == nil { paths += try SetAsideCatalogues(location).paths().reversed() }
    if let copy = options.copy {
      paths += try Snapshot.all(in: copy).map(\.path)
    } else {
      plan.lacksCopy = try LibraryMarker.read(in: location.data)?.hasCopy == true
    }
    var sources: [Source] = []
    for path in paths {
      switch CatalogueProbe(path: path).look() {
      case .missing where path == location.catalogue && StoreFiles.size(path.suffixed("-wal")) ?? 0 > 0:
        plan.unusable.append("\(path.suffixed("-wal")): The log of a catalogue that does not exist.")
      case .missing: break
      case .unusable(let error) where path == location.catalogue && error.code == .newerSchema: throw error
      case .unusable(let error):
        plan.unusable.append("\(path): \(error.message)")
      case .catalogue(let contents, _):
        plan.known = (plan.known ?? CatalogueContents()).union(contents)
        sources.append(Source(path: path, contents: contents))
      }
    }
    // Of two that know as much the one named first: the catalogue itself, then the latest snapshot.
    return sources.enumerated().sorted { one, other in
      one.element.contents.weight == other.element.contents.weight
        ? one.offset < other.offset : one.element.contents.weight > other.element.contents.weight
    }.map(\.element)
  }

  /// Power may fail after each line. Before the old catalogue goes from its place, all its files have their second names; after that there is no catalogue until
  /// the new one is moved to its place, which nothing but another rebuild takes for an empty library. The log goes before the new one comes: SQLite
  /// would play it back into that.
  private func replace(by candidate: CatalogueCandidate) throws(LibraryError) {
    try SetAsideCatalogues(location).keepCurrent()
    for suffix in ["", "-wal", "-shm"] { try StoreFiles.remove(location.catalogue.suffixed(suffix)) }
    try StoreFiles.sync(location.data)
    try StoreFiles.move(candidate.path, to: location.catalogue)
    try StoreFiles.sync(location.data)
  }
}

extension CatalogueContents {
  /// Which of two catalogues to prefer: what people said counts, and so do files.
  fileprivate var weight: Int { files + captions + collections + labels }
}
