internal import FileSupport

/// Folder operations of the draft store: ``FileSystem`` with ``DraftStoreError``.
enum DraftFolders {
  /// Creates a folder with mode 0700, and those above it. Succeeds if the folder, or a link to a folder, exists.
  static func make(_ path: String) throws(DraftStoreError) {
    try DraftFiles.mapping("make a folder for drafts") { () throws(FileError) in
      try FileSystem.makeFolder(PathBytes(path), permissions: .userOnly)
    }
  }

  /// Creates the folder of one draft. Fails if its path is a link or anything else that is not a folder.
  static func makeDraft(_ path: String) throws(DraftStoreError) {
    try DraftFiles.mapping("create the folder of a draft") { () throws(FileError) in
      guard try FileSystem.makeOneFolder(PathBytes(path), .userOnly) else { throw .noSuchFile }
    }
    guard try isFolder(path) else { throw .system(.notAFolder, doing: "use the folder of a draft") }
  }

  /// Whether a path exists, links followed.
  static func isThere(_ path: String) throws(DraftStoreError) -> Bool {
    try kind(path, followsLinks: true) != nil
  }

  /// Whether a path is a folder and not a link to one.
  static func isFolder(_ path: String) throws(DraftStoreError) -> Bool {
    try kind(path, followsLinks: false) == .folder
  }

  private static func kind(_ path: String, followsLinks: Bool) throws(DraftStoreError) -> FileKind? {
    do throws(FileError) { return try FileStatus(at: PathBytes(path), followsLinks: followsLinks).kind } catch {
      if error.isNotFound { return nil }
      throw .system(error, doing: "find a draft")
    }
  }

  /// The names in a folder; empty if it does not exist.
  static func names(in folder: String) throws(DraftStoreError) -> [String] {
    do throws(FileError) {
      return try FileSystem.names(in: PathBytes(folder)).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      if error == .noSuchFile { return [] }
      throw .system(error, doing: "read the folder of drafts")
    }
  }

  /// Removes a draft's folder, the draft first, so that a kill never leaves a draft without its files. Files that are not the store's stay, and
  /// so does the folder then.
  static func removeDraft(_ path: String) throws(DraftStoreError) {
    try DraftFiles.remove("\(path)/\(DraftStore.draftName)")
    for name in try names(in: path) where DraftStore.isOurs(name) { try DraftFiles.remove("\(path)/\(name)") }
    try removeEmpty(path)
  }

  /// Removes a folder if it is empty.
  static func removeEmpty(_ path: String) throws(DraftStoreError) {
    try DraftFiles.mapping("remove a draft") { () throws(FileError) in
      _ = try FileSystem.removeEmptyFolder(PathBytes(path))
    }
  }
}
