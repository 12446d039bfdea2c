internal import FileSupport

/// Replaces a damaged or missing catalogue. The new one is built and checked first; the old one is kept under another name.
struct CatalogueRebuild {
  let location: LibraryLocation
  let options: Library.Options

  /// Builds the catalogue and installs it, unless that loses data and the caller does not accept it. The caller holds the ``WriterLock``.
  /// - Returns: What the catalogue was made from.
  func run(accepting: (Library.RebuildPlan) -> Bool) throws(LibraryError) -> Library.RebuildPlan {
    let candidate = CatalogueCandidate(in: location)
    do throws(LibraryError) {
      let plan = try makeFullest(candidate)
      if plan.losesRows, !accepting(plan) {
        throw LibraryError(
          .wouldLose,
          "The rebuild would lose data. \(plan) Name the library's copy, or accept the loss; the old catalogue is kept.",
          path: location.catalogue)
      }
      try replace(by: candidate)
      return plan
    } catch {
      // The old catalogue is unchanged.
      _ = try? candidate.remove()
      throw error
    }
  }

  /// A readable catalogue with its contents.
  private struct Source {
    let path: PathBytes
    let contents: Library.CatalogueContents
    /// What it shares with its snapshots.
    let lineage: CatalogueProbe.Lineage
    /// The greatest id that it has given.
    let lastID: Int64
    /// Ascending with age: 0 is the catalogue itself, or the one that an interrupted rebuild set aside last; snapshots follow, the latest first.
    let age: Int
    /// Whether it is the first of them.
    var isCurrent = false
  }

  /// Builds the candidate from the fullest readable catalogue that is consistent.
  private func makeFullest(_ candidate: CatalogueCandidate) throws(LibraryError) -> Library.RebuildPlan {
    var plan = Library.RebuildPlan()
    var sources = try sources(&plan)
    let start = try ReservedIDs.start(in: location.data, after: sources.map(\.lastID).max() ?? 0)
    if let current = sources.first(where: \.isCurrent), try use(current, of: &sources, candidate, after: start, &plan) {
      return plan
    }
    for source in sources {
      do throws(LibraryError) {
        plan.contents = try candidate.make(from: source.path, after: start)
        plan.source = source.path
        plan.newer =
          sources.filter { $0.age < source.age && $0.contents != Library.CatalogueContents() }
          .min { $0.age < $1.age }?.path
        return plan
      } catch  where error.code == .diskFull {
        throw error
      } catch {
        plan.unusable.append("\(source.path): \(error.finding)\(error.detail.map { " (\($0))" } ?? "")")
      }
    }
    plan.contents = Library.CatalogueContents()
    try candidate.makeEmpty(after: start)
    return plan
  }

  /// Builds the candidate from the catalogue itself if that is the fullest one. From a damaged one takes what can be read, and the files of its damaged
  /// pages from snapshots, the latest first; then the result must be the fullest one. If it is known which rows are lost, it may have less than these
  /// snapshots: that was erased or removed since.
  /// - Parameter sources: A damaged catalogue is removed from them.
  /// - Returns: Whether the candidate is complete.
  private func use(
    _ current: Source, of sources: inout [Source], _ candidate: CatalogueCandidate, after start: Int64,
    _ plan: inout Library.RebuildPlan
  ) throws(LibraryError) -> Bool {
    let reason: LibraryError
    do throws(LibraryError) {
      let contents = try candidate.make(from: current.path, after: start)
      guard sources.first?.isCurrent == true else { return false }
      (plan.contents, plan.source) = (contents, current.path)
      return true
    } catch  where error.code == .diskFull {
      throw error
    } catch {
      reason = error
    }
    sources.removeAll(where: \.isCurrent)
    let snapshots = sources.filter { $0.lineage.number == current.lineage.number }.sorted { $0.age < $1.age }
    do throws(LibraryError) {
      let (contents, report) = try candidate.recover(
        from: current.path, and: snapshots.map(\.path), after: start)
      let hasRows = contents.files > 0 || contents.moments > 0 || contents.trips > 0
      let others = report.isCounted ? sources.filter { $0.lineage.number != current.lineage.number } : sources
      if hasRows, !others.contains(where: { $0.contents.isFuller(than: contents) }) {
        (plan.contents, plan.source) = (contents, current.path)
        plan.recovery = Library.RebuildPlan.Recovery(report)
        return true
      }
    } catch  where error.code == .diskFull {
      throw error
    } catch {
      // The snapshots remain.
    }
    plan.isUnreadable = true
    plan.unusable.append("\(current.path): \(reason.finding)\(reason.detail.map { " (\($0))" } ?? "")")
    return false
  }

  /// The catalogue, those that an interrupted rebuild has set aside, and the snapshots, the fullest first.
  private func sources(_ plan: inout Library.RebuildPlan) throws(LibraryError) -> [Source] {
    var paths = [location.catalogue]
    // The latest first; it takes the catalogue's part.
    if StoreFiles.size(location.catalogue) == nil { paths += try SetAsideCatalogues(location).paths().reversed() }
    let current = paths.count > 1 ? paths[1] : location.catalogue
    if let copy = options.copy {
      paths += try Snapshot.all(in: copy).map(\.path)
    } else {
      plan.lacksCopy = try LibraryMarker.read(in: location.data)?.hasCopy == true
    }
    var sources: [Source] = []
    for (age, path) in paths.enumerated() {
      switch CatalogueProbe(path: path).look() {
      case .missing where path == location.catalogue && StoreFiles.size(path.suffixed("-wal")) ?? 0 > 0:
        plan.isUnreadable = true
        plan.unusable.append("\(path.suffixed("-wal")): a write-ahead log without its catalogue.")
      case .missing: break
      case .unusable(let error) where path == location.catalogue && error.code == .newerSchema: throw error
      case .unusable(let error):
        if path == location.catalogue { plan.isUnreadable = true }
        plan.unusable.append("\(path): \(error.finding)")
      case .catalogue(let contents, let lineage):
        plan.known = (plan.known ?? Library.CatalogueContents()).union(contents)
        let lastID = try? CatalogueProbe(path: path).read(ReservedIDs.last)
        sources.append(
          Source(
            path: path, contents: contents, lineage: lineage, lastID: lastID ?? 0, age: age, isCurrent: path == current)
        )
      }
    }
    // Equal ones in the order of the list: the catalogue itself, then the latest snapshot.
    return sources.enumerated().sorted { one, other in
      let (contents, others) = (one.element.contents, other.element.contents)
      return contents.isFuller(than: others) || (!others.isFuller(than: contents) && one.offset < other.offset)
    }.map(\.element)
  }

  /// Power may fail after each line. Before the old catalogue is removed, all its files have their second names. Then there is no catalogue until the
  /// new one is renamed; only another rebuild treats that as an empty library. The log is removed before the new catalogue appears, because SQLite
  /// would apply it to that.
  private func replace(by candidate: CatalogueCandidate) throws(LibraryError) {
    try SetAsideCatalogues(location).keepCurrent()
    for suffix in ["", "-wal", "-shm"] { try StoreFiles.remove(location.catalogue.suffixed(suffix)) }
    try StoreFiles.sync(location.data)
    try StoreFiles.move(candidate.path, to: location.catalogue)
    try StoreFiles.sync(location.data)
  }
}

extension LibraryError {
  /// What is wrong, without the way out: a rebuild is the way out.
  fileprivate var finding: Substring { message.prefix { $0 != ";" } }
}
