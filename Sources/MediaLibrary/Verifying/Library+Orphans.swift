internal import FileSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library {
  /// Number of days for which a rendition without files is kept: enough for a scan of all folders after a loss.
  public static let daysOfOrphans = 30

  /// Removes orphans that were moved before a time in seconds since 1970. Those of the copy stay while the library has any: no run removes both
  /// copies of a rendition.
  func removeOrphans(changedBefore time: Int64) throws(LibraryError) {
    if try removeOrphans(of: renditions.main, changedBefore: time) > 0 { return }
    if let copy = renditions.copy { _ = try removeOrphans(of: copy, changedBefore: time) }
  }

  private func removeOrphans(of store: DirectoryStore, changedBefore time: Int64) throws(LibraryError) -> Int {
    let orphans = SetAsideFiles(base: store.folder.folder).orphans
    var removed = 0
    var after: ContentDigest?
    while let page = try Optional(orphans.addresses(after: after, limit: 1_000)), let last = page.last {
      for address in page where Self.change(of: orphans.path(of: address)) ?? time < time {
        // An orphan that a file uses is kept until it is back in its store.
        if try database.uses(address), try store.isIntact(address) != true { continue }
        try orphans.remove(address)
        removed += 1
      }
      after = last
    }
    return removed
  }

  /// When a file was renamed or otherwise changed, in seconds since 1970.
  private static func change(of path: PathBytes?) -> Int64? {
    guard let path, let status = try? FileStatus(at: path, followsLinks: false) else { return nil }
    return Int64(FileStatus.seconds(ofNanoseconds: status.changed))
  }
}
