internal import FileSupport

/// Folder operations of the draft store: ``FileSystem`` with ``DraftStore/Failure``.
enum DraftFolders {
  /// Creates a folder with mode 0700, and those above it. Succeeds if the folder, or a link to a folder, exists.
  static func make(_ path: String) throws(DraftStore.Failure) {
    try DraftStore.Failure.mapping("create the folder \(path)") { () throws(FileError) in
      try FileSystem.makeFolder(PathBytes(path), permissions: .userOnly)
    }
  }

  /// Creates the folder of one draft. Fails if its path is a link or anything else that is not a folder.
  static func makeDraft(_ path: String) throws(DraftStore.Failure) {
    try DraftStore.Failure.mapping("create the folder \(path)") { () throws(FileError) in
      guard try FileSystem.makeOneFolder(PathBytes(path), .userOnly) else { throw .noSuchFile }
    }
    guard try isFolder(path) else { throw DraftStore.Failure(.notAFolder, "use \(path) for a draft") }
  }

  /// Whether a path exists, links followed.
  static func isThere(_ path: String) throws(DraftStore.Failure) -> Bool {
    try kind(path, followsLinks: true) != nil
  }

  /// Whether a path is a folder and not a link to one.
  static func isFolder(_ path: String) throws(DraftStore.Failure) -> Bool {
    try kind(path, followsLinks: false) == .folder
  }

  private static func kind(_ path: String, followsLinks: Bool) throws(DraftStore.Failure) -> FileStatus.Kind? {
    do throws(FileError) { return try FileStatus(at: PathBytes(path), followsLinks: followsLinks).kind } catch {
      if error.isNotFound { return nil }
      throw DraftStore.Failure(error, "find \(path)")
    }
  }

  /// The names in a folder; empty if it does not exist.
  static func names(in folder: String) throws(DraftStore.Failure) -> [String] {
    do throws(FileError) {
      return try FileSystem.names(in: PathBytes(folder)).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      if error == .noSuchFile { return [] }
      throw DraftStore.Failure(error, "read the folder \(folder)")
    }
  }

  /// Removes a draft's folder, the draft first, so that a kill never leaves a draft without its files. Files that are not the store's stay, and
  /// so does the folder then.
  static func removeDraft(_ path: String) throws(DraftStore.Failure) {
    try DraftFiles.remove("\(path)/\(DraftStore.draftName)")
    for name in try names(in: path) where DraftStore.isOurs(name) { try DraftFiles.remove("\(path)/\(name)") }
    try removeEmpty(path)
    // What is removed must not come back after a power failure.
    for folder in [path, PathBytes(path).folder.description] where try isFolder(folder) { try DraftFiles.sync(folder) }
  }

  /// Removes a draft's folder, the draft last: after a kill, the draft still says whose the files are that are left, and the erasure is repeated.
  static func eraseDraft(_ path: String) throws(DraftStore.Failure) {
    for name in try names(in: path) where DraftStore.isOurs(name) && name != DraftStore.draftName {
      try DraftFiles.remove("\(path)/\(name)")
    }
    // On the disk before the draft is removed, for a power failure.
    try DraftFiles.sync(path)
    try removeDraft(path)
  }

  /// Removes temporary files of writes that were interrupted, and the folder if nothing else is in it. Call it where no process writes.
  static func removeInterruptedWrites(in path: String) throws(DraftStore.Failure) {
    guard try isFolder(path) else { return }
    let interrupted = try names(in: path).filter(DraftStore.isTemporary)
    guard !interrupted.isEmpty else { return }
    for name in interrupted { try DraftFiles.remove("\(path)/\(name)") }
    try DraftFiles.sync(path)
    // One that is not empty stays: it has a draft, or a file whose draft is saved next.
    _ = try? removeEmpty(path)
  }

  /// Removes a folder if it is empty.
  static func removeEmpty(_ path: String) throws(DraftStore.Failure) {
    try DraftStore.Failure.mapping("remove \(path)") { () throws(FileError) in
      _ = try FileSystem.removeEmptyFolder(PathBytes(path))
    }
  }
}
