internal import Glibc

/// The system calls of the store that are about folders.
enum DraftFolders {
  /// Makes a folder for this user alone, and those above it; one that is there is as good, and so is a link to one.
  static func make(_ path: String) throws(DraftStoreError) {
    if try makeOne(path) { return }
    let bytes = Array(path.utf8)
    for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
      // What is wrong with one of these is told of the last.
      _ = try? makeOne(String(decoding: bytes[..<end], as: UTF8.self))
    }
    guard try makeOne(path) else { throw .system(code: ENOENT, doing: "make a folder for drafts") }
  }

  /// Makes the folder of one draft; what is there in its place and is no folder, a link for example, is an error.
  static func makeDraft(_ path: String) throws(DraftStoreError) {
    if try !makeOne(path) { throw .system(code: ENOENT, doing: "make the folder of a draft") }
    guard try isFolder(path) else { throw .system(code: ENOTDIR, doing: "use the folder of a draft") }
  }

  /// - Returns: False when the folder above it is not there.
  private static func makeOne(_ path: String) throws(DraftStoreError) -> Bool {
    if mkdir(path, 0o700) == 0 {
      // A draft in it is on the disk only once its own name is.
      try sync(parent(of: path))
      return true
    }
    switch errno {
    case EEXIST: return true
    case ENOENT: return false
    default: throw .last("make a folder for drafts")
    }
  }

  private static func parent(of path: String) -> String {
    var bytes = Array(path.utf8)[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == bytes.startIndex ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }

  /// Brings the names in a folder to the disk.
  static func sync(_ folder: String) throws(DraftStoreError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open the folder of a draft") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last("sync the folder of a draft") }
  }

  /// Whether anything is there; links are followed.
  static func isThere(_ path: String) throws(DraftStoreError) -> Bool {
    if access(path, F_OK) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw .last("look for drafts")
  }

  /// Whether a folder is there, and not a link to one.
  static func isFolder(_ path: String) throws(DraftStoreError) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw .last("look for a draft")
    }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder; none when it is not there.
  static func names(in folder: String) throws(DraftStoreError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw .last("read the folder of drafts")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a draft's folder: the draft first, so that what is left by a kill is never a draft without its files. What is not the store's stays,
  /// and the folder with it.
  static func removeDraft(_ path: String) throws(DraftStoreError) {
    try DraftFiles.remove("\(path)/\(DraftStore.draftName)")
    for name in try names(in: path) where DraftStore.isOurs(name) { try DraftFiles.remove("\(path)/\(name)") }
    guard rmdir(path) == 0 || [ENOENT, ENOTEMPTY, EEXIST].contains(errno) else { throw .last("remove a draft") }
  }
}
