internal import FileSupport
internal import GRDB

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Library {
  /// Where the copy has the catalogue as it was when it was backed up last.
  var snapshotPath: PathBytes {
    (options.copy ?? location.data.appending("copy".utf8)).appending("catalogue.sqlite".utf8)
  }

  /// Writes the catalogue, as it is now, into the copy, in place of the one that is there: captions, labels and owners stand nowhere else.
  public func backUp() throws(LibraryError) {
    guard let copy = options.copy else {
      throw LibraryError(.invalidRequest, "The library was opened without a copy.")
    }
    try StoreFiles.makeFolder(copy)
    let beside = copy.appending(".catalogue-\(getpid())".utf8)
    try StoreFiles.remove(beside)
    do throws(LibraryError) {
      try database.vacuum(into: beside)
      guard beside.withCString({ from in snapshotPath.withCString { rename(from, $0) } }) == 0 else {
        throw .last("rename the snapshot to \(snapshotPath)")
      }
    } catch {
      _ = try? StoreFiles.remove(beside)
      throw error
    }
    try StoreFiles.sync(copy)
  }
}

extension SQLiteCatalogue {
  func vacuum(into path: PathBytes) throws(LibraryError) {
    try Self.mapping { try pool.vacuum(into: path.description) }
    guard let descriptor = try StoreFiles.openFile(path) else {
      throw LibraryError(.system, "The snapshot is missing after it was written.", detail: "\(path)")
    }
    defer { FileSystem.release(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last("sync a snapshot") }
  }
}
