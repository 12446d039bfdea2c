internal import FileSupport

// What to do with a file, depending on what the catalogue knows of it.
extension ScanSource {
  mutating func decide(_ stamp: FileStamp, _ standing: KnownFile.Standing, in folder: Folder) {
    switch standing {
    case .unknown: examine(stamp, .new, in: folder)
    case .changed(let known):
      guard known.state != .quarantined else { return keep(stamp) }
      // As an editor saves: the path keeps its row. If the old file appears as a backup, it gets a row of its own.
      if known.stamp.inode != stamp.inode { replaced.insert(known.id) }
      examine(stamp, .changed, in: folder)
    case .unchanged(let known):
      if known.state == .vanished {
        append(
          .note(.returned(known.id), Notice(kind: .returned, path: stamp.path, bytes: Int(clamping: stamp.size))))
      }
      complete(stamp, known, in: folder, isReported: known.state == .vanished)
    case .elsewhere(let known): decide(stamp, knownElsewhere: known, in: folder)
    }
  }

  /// Handles a file whose content is known at another path.
  private mutating func decide(_ stamp: FileStamp, knownElsewhere known: KnownFile, in folder: Folder) {
    guard known.state != .quarantined else { return keep(stamp) }
    // Inode numbers are reused. A file created after the known file's last change is another file.
    if let birth = folder.walked.handle.birth(stamp.path.name[...]), birth > known.stamp.changed {
      return examine(stamp, .new, in: folder)
    }
    if replaced.contains(known.id) { return examine(stamp, .new, in: folder) }
    let isMoved = known.state == .vanished || moved.contains(known.id) || !known.stamp.isThere
    // A file that failed or is on another device is not linked, but examined: its facts may not apply to another name, and a copy at best has the
    // same inode number on another device.
    let isLinked = known.state == .done && known.stamp.device == stamp.device
    guard isMoved ? !moved.contains(known.id) : isLinked else { return examine(stamp, .new, in: folder) }
    if isMoved { moved.insert(known.id) }
    let notice = Notice(
      kind: isMoved ? .moved : .linked, path: stamp.path, other: known.stamp.path, bytes: Int(clamping: stamp.size))
    append(.note(isMoved ? .moved(known.id, to: stamp) : .linked(known.id, to: stamp), notice))
    let isRenamed = !CatalogueWriter.sameExtension(known.stamp.path, stamp.path)
    complete(stamp, known, in: folder, isReported: true, isRenamed: isRenamed)
  }

  /// Handles an unchanged file: examined again only for what it lacks.
  /// - Parameter isReported: Whether the file was already reported.
  /// - Parameter isRenamed: Whether it has another extension now, with which its content may disagree.
  private mutating func complete(
    _ stamp: FileStamp, _ known: KnownFile, in folder: Folder, isReported: Bool, isRenamed: Bool = false
  ) {
    switch known.state == .vanished ? known.stateBefore : known.state {
    case .new, .vanished: examine(stamp, .new, in: folder)
    case .failed where settings.retry.allows(known): examine(stamp, .retried, in: folder)
    case .done where isIncomplete(known):
      examine(stamp, .completed, in: folder, recipe: ScanRecipe(known.recipe), isOutdated: known.isOutdated)
    case .done where settings.rechecks && !isReported:
      examine(stamp, .rechecked, in: folder, recipe: ScanRecipe(known.recipe), isOutdated: known.isOutdated)
    case .done where isRenamed:
      var target = ScanTarget(
        stamp: stamp, folder: folder.walked.handle, reason: .completed, recipe: ScanRecipe(known.recipe))
      target.wantsFactsAlone = true
      append(.examine(target))
    case .done, .failed, .quarantined: if !isReported { keep(stamp) }
    }
  }

  /// Whether it lacks something that is asked for, or has renditions that are made in another way now.
  private func isIncomplete(_ known: KnownFile) -> Bool {
    let recipe = ScanRecipe(known.recipe)
    let isOutdated = known.isOutdated && !recipe.renditions.isEmpty && !settings.recipe.renditions.isEmpty
    return isOutdated || !recipe.covers(settings.recipe)
  }

  private mutating func examine(
    _ stamp: FileStamp, _ reason: ScanTarget.Reason, in folder: Folder, recipe: ScanRecipe = ScanRecipe(),
    isOutdated: Bool = false
  ) {
    var target = ScanTarget(stamp: stamp, folder: folder.walked.handle, reason: reason, recipe: recipe)
    target.isOutdated = isOutdated
    append(.examine(target))
  }

  private mutating func keep(_ stamp: FileStamp) { keep(stamp.path, bytes: Int(clamping: stamp.size)) }

  /// Reports known files of a folder that no longer exist.
  mutating func reportVanishedFiles(of folder: Folder, in catalogue: any ScanIndex) throws(LibraryError) {
    var after: [UInt8]?
    while true {
      let page = try catalogue.knownFiles(in: folder.path, after: after, limit: 1_000)
      for known in page where known.state != .vanished && known.state != .quarantined {
        let name = known.stamp.path.name
        guard !folder.walked.containsFile(name[...]), !moved.contains(known.id) else { continue }
        append(.note(.vanished(known.id), Notice(kind: .vanished, path: known.stamp.path)))
      }
      guard page.count == 1_000, let last = page.last else { return }
      after = last.stamp.path.name
    }
  }

  /// Reports known subfolders of a folder that no longer exist, in one step each with everything below.
  ///
  /// Reads one known folder per child, and not those inside it.
  mutating func reportVanishedFolders(of folder: Folder, in catalogue: any ScanIndex) throws(LibraryError) {
    var after = folder.path
    let start = folder.path.appending([]).bytes.count
    var reported: Set<PathBytes> = []
    while let found = try catalogue.knownFolders(under: folder.path, after: after, limit: 1).first {
      let name = found.path.bytes[start...].prefix { $0 != PathBytes.slash }
      let child = folder.path.appending(name)
      if !folder.walked.containsFolder(name), reported.insert(child).inserted {
        append(.note(.folderVanished(child), Notice(kind: .vanished, path: child)))
      }
      // A name with the same beginning may be between a folder and its content: `a-b` between `a` and `a/c`.
      after = found.path == child ? child : max(found.path, child.appending([UInt8.max]))
    }
  }
}
