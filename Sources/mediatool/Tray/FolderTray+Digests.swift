internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// The same content is found by its digest (R-TRAY-8). Only files of equal size can have the same content, so no other file is read
/// for it.
extension FolderTray {
  /// The sizes that more than one file has: of the newest, and of those that are chosen besides.
  static func sharedSizes(of newest: [RecentFiles.Entry], and chosen: [PathBytes]) -> Set<Int> {
    var sizes: [FileIdentity: Int] = [:]
    for entry in newest { sizes[entry.candidate.identity] = entry.info.bytes }
    for path in chosen {
      guard !path.hasNUL, let status = try? FileStatus(at: path), status.kind == .file else { continue }
      sizes[status.identity] = status.bytes
    }
    let counts = Dictionary(grouping: sizes.values) { $0 }
    return Set(counts.filter { $0.key > 0 && $0.value.count > 1 }.keys)
  }

  /// The files with the digests of those that have one of the sizes. A digest that is known, from a library, is kept.
  static func digested(
    _ found: [RecentFiles.Entry], sizes: Set<Int>, batch: Batch, engine: FileEngine
  ) throws -> [RecentFiles.Entry] {
    var found = found
    let wanted = found.indices.filter { found[$0].info.sha256 == nil && sizes.contains(found[$0].info.bytes) }
    let numbers = Locked(wanted[...])
    let inputs = found.map(\.candidate.input)
    try batch.each(
      next: { numbers.withLock { $0.popFirst() } }, path: { inputs[$0].path },
      work: { number throws(Fault) in try engine.info(of: inputs[number], digest: true).sha256 },
      deliver: { found[$0].info.sha256 = $1 })
    return found
  }
}
