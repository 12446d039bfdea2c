internal import FileSupport

/// File operations of the stores and of erasing: ``FileSystem`` and ``AtomicFile`` with ``LibraryError``.
enum StoreFiles {
  /// Prefixes of temporary files: the current one, and those of earlier versions.
  static let besidePrefixes = [".mediatool-", ".tmp-", ".new-"].map { Array($0.utf8) }

  /// Whether a temporary file may be one that this process is writing.
  static func isWrittenHere(_ path: PathBytes) -> Bool { AtomicFile.isWrittenHere(path.name) }

  /// Writes a file atomically; succeeds if the name exists.
  static func write(
    to name: [UInt8], in folder: PathBytes, _ fill: (CInt) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    let file = try create(folder.appending(name))
    try fill(file.descriptor)
    do throws(FileError) { try file.commit() } catch {
      throw LibraryError(error, "rename a new file to \(folder.appending(name))")
    }
  }

  /// Creates a temporary file with mode 0600.
  static func create(_ path: PathBytes) throws(LibraryError) -> AtomicFile {
    try LibraryError.mapping("create \(path)") { () throws(FileError) in
      try AtomicFile(at: path, permissions: .userOnly)
    }
  }

  static func put(
    _ bytes: UnsafeRawBufferPointer, into descriptor: CInt, of path: PathBytes
  ) throws(LibraryError) {
    try LibraryError.mapping("write \(path)") { () throws(FileError) in try FileSystem.append(bytes, to: descriptor) }
  }

  static func sync(_ folder: PathBytes) throws(LibraryError) {
    try LibraryError.mapping("sync the folder \(folder)") { () throws(FileError) in try FileSystem.syncFolder(folder) }
  }

  /// Opens a regular file for reading, links not followed; nil if there is none.
  static func openFile(_ path: PathBytes) throws(LibraryError) -> CInt? {
    do throws(FileError) { return try FileSystem.openFile(path) } catch {
      if error.isNotFound { return nil }
      throw LibraryError(error, error.isNotAFile ? "read \(path), which is not a regular file" : "open \(path)")
    }
  }

  /// Calls `body` with each chunk of an open file, to its end.
  static func pieces(
    of descriptor: CInt, at path: PathBytes, _ body: (UnsafeRawBufferPointer) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try LibraryError.mapping("read \(path)") { () throws(FileError) in
        try FileSystem.fill(buffer, from: descriptor)
      }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Creates a folder with mode 0700 and those above it, and syncs their names. Succeeds if it exists.
  static func makeFolder(_ path: PathBytes) throws(LibraryError) {
    try LibraryError.mapping("create the folder \(path)") { () throws(FileError) in
      try FileSystem.makeFolder(path, permissions: .userOnly)
    }
  }

  /// Size in bytes of a file of any type; nil if there is none.
  static func size(_ path: PathBytes) -> Int? { try? FileStatus(at: path, followsLinks: false).bytes }

  /// - Returns: Whether it existed.
  @discardableResult
  static func remove(_ path: PathBytes) throws(LibraryError) -> Bool {
    try LibraryError.mapping("remove \(path)") { () throws(FileError) in try FileSystem.removeFile(path) }
  }

  /// The names in a folder without `.` and `..`, sorted; empty if it does not exist or is not a folder.
  static func names(in folder: PathBytes) throws(LibraryError) -> [[UInt8]] {
    do throws(FileError) { return try FileSystem.names(in: folder) } catch {
      if error.isNotFound { return [] }
      throw LibraryError(error, "read the folder \(folder)")
    }
  }
}
