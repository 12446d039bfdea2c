internal import GRDB
internal import MediaModel

/// Files that no scan found.
extension SQLiteCatalogue {
  func add(_ files: [AddedFile]) throws(LibraryError) -> [FileID] {
    if files.isEmpty { return [] }
    return try write(.memory) { db in
      var writer = try CatalogueWriter(db, keepsLocations: keepsLocations, store: store)
      return try files.map { file in
        try writer.make(.done(Self.stamp(of: file), file.result))
        guard let known = try writer.lookup.file(at: file.path) else {
          throw LibraryError(.corrupt, "The catalogue is damaged.", detail: "a file that was added is not there")
        }
        try Self.assign([known.id], owner: file.owner, collection: file.collection, db)
        return known.id
      }
    }
  }

  /// A stamp without device and inode, which no file on a disk has: a scan that finds the file examines it.
  private static func stamp(of file: AddedFile) -> FileStamp {
    func nanoseconds(_ seconds: Int) -> Int64 {
      let (product, isTooLarge) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
      return isTooLarge ? (seconds < 0 ? .min : .max) : product
    }
    return FileStamp(
      path: file.path, device: 0, inode: 0, size: Int64(file.result.info.bytes),
      modified: nanoseconds(file.modified), changed: nanoseconds(file.received))
  }
}
