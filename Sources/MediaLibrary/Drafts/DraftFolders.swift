internal import FileSupport

/// The folders of the store: ``FileSystem`` with the errors of drafts.
enum DraftFolders {
  /// Makes a folder for this user alone, and those above it; one that is there is as good, and so is a link to one.
  static func make(_ path: String) throws(DraftStoreError) {
    try DraftFiles.mapping("make a folder for drafts") { () throws(FileError) in
      try FileSystem.makeFolder(PathBytes(path), permissions: .userOnly)
    }
  }

  /// Makes the folder of one draft; what is there in its place and is no folder, a link for example, is an error.
  static func makeDraft(_ path: String) throws(DraftStoreError) {
    try DraftFiles.mapping("create the folder of a draft") { () throws(FileError) in
      guard try FileSystem.makeOneFolder(PathBytes(path), .userOnly) else { throw .noSuchFile }
    }
    guard try isFolder(path) else { throw .system(.notAFolder, doing: "use the folder of a draft") }
  }

  /// Whether anything is there; links are followed.
  static func isThere(_ path: String) throws(DraftStoreError) -> Bool {
    try kind(path, followsLinks: true) != nil
  }

  /// Whether a folder is there, and not a link to one.
  static func isFolder(_ path: String) throws(DraftStoreError) -> Bool {
    try kind(path, followsLinks: false) == .folder
  }

  private static func kind(_ path: String, followsLinks: Bool) throws(DraftStoreError) -> FileKind? {
    do throws(FileError) { return try FileStatus(at: PathBytes(path), followsLinks: followsLinks).kind } catch {
      if error.isNotFound { return nil }
      throw .system(error, doing: "find a draft")
    }
  }

  /// The names in a folder; none when it is not there.
  static func names(in folder: String) throws(DraftStoreError) -> [String] {
    do throws(FileError) {
      return try FileSystem.names(in: PathBytes(folder)).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      if error == .noSuchFile { return [] }
      throw .system(error, doing: "read the folder of drafts")
    }
  }

  /// Removes a draft's folder: the draft first, so that what is left by a kill is never a draft without its files. What is not the store's stays,
  /// and the folder with it.
  static func removeDraft(_ path: String) throws(DraftStoreError) {
    try DraftFiles.remove("\(path)/\(DraftStore.draftName)")
    for name in try names(in: path) where DraftStore.isOurs(name) { try DraftFiles.remove("\(path)/\(name)") }
    try removeEmpty(path)
  }

  /// Removes a folder with nothing in it; any other stays.
  static func removeEmpty(_ path: String) throws(DraftStoreError) {
    try DraftFiles.mapping("remove a draft") { () throws(FileError) in
      _ = try FileSystem.removeEmptyFolder(PathBytes(path))
    }
  }
}
