internal import FileSupport

/// The files of the stores and of erasing: ``FileSystem`` and ``AtomicFile`` with the errors of a library.
enum StoreFiles {
  /// What names of files that are being written begin with; those of versions before this one are the second.
  static let besidePrefixes = [".mediatool-", ".tmp-", ".new-"].map { Array($0.utf8) }

  /// Whether a file beside its place may be one that this process is writing.
  static func isWrittenHere(_ path: PathBytes) -> Bool { AtomicFile.isWrittenHere(path.name) }

  /// Does something with files.
  static func mapping<Result: ~Copyable>(
    _ doing: String, _ body: () throws(FileError) -> Result
  ) throws(LibraryError) -> Result {
    do throws(FileError) { return try body() } catch { throw LibraryError(error, doing) }
  }

  /// Puts bytes under a name that is not there, or as good: beside, sync, rename.
  static func write(
    to name: [UInt8], in folder: PathBytes, _ fill: (CInt) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    let file = try create(folder.appending(name))
    try fill(file.descriptor)
    do throws(FileError) { try file.commit() } catch {
      throw LibraryError(error, "rename a file of the store")
    }
  }

  /// Begins a file for this user alone.
  static func create(_ path: PathBytes) throws(LibraryError) -> AtomicFile {
    try mapping("create a file in the store") { () throws(FileError) in
      try AtomicFile(at: path, permissions: .userOnly)
    }
  }

  static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: CInt) throws(LibraryError) {
    try mapping("write a file of the store") { () throws(FileError) in try FileSystem.append(bytes, to: descriptor) }
  }

  static func sync(_ folder: PathBytes) throws(LibraryError) {
    try mapping("sync a folder of the library") { () throws(FileError) in try FileSystem.syncFolder(folder) }
  }

  /// Opens a regular file for reading, no link; nil when there is none.
  static func openFile(_ path: PathBytes) throws(LibraryError) -> CInt? {
    do throws(FileError) { return try FileSystem.openFile(path) } catch {
      if error.isNotFound { return nil }
      if error.isNotAFile { throw LibraryError(.system, "A file of the library is no file.") }
      throw LibraryError(error, "open a file of the library")
    }
  }

  /// Calls `body` with each piece of an open file, to its end.
  static func pieces(
    of descriptor: CInt, _ body: (UnsafeRawBufferPointer) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try mapping("read a file of the library") { () throws(FileError) in
        try FileSystem.fill(buffer, from: descriptor)
      }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Makes a folder for this user alone, and those above it, and brings their names to the disk; one that is there is as good.
  static func makeFolder(_ path: PathBytes) throws(LibraryError) {
    try mapping("make a folder for the library") { () throws(FileError) in
      try FileSystem.makeFolder(path, permissions: .userOnly)
    }
  }

  /// Bytes of a file, of any kind; nil when there is none.
  static func size(_ path: PathBytes) -> Int? { try? FileStatus(at: path, followsLinks: false).bytes }

  /// - Returns: Whether it was there.
  @discardableResult
  static func remove(_ path: PathBytes) throws(LibraryError) -> Bool {
    try mapping("remove a file of the library") { () throws(FileError) in try FileSystem.removeFile(path) }
  }

  /// The names in a folder, but for `.` and `..`, in order; none when it is not there, or is no folder.
  static func names(in folder: PathBytes) throws(LibraryError) -> [[UInt8]] {
    do throws(FileError) { return try FileSystem.names(in: folder) } catch {
      if error.isNotFound { return [] }
      throw LibraryError(error, "read a folder of the library")
    }
  }
}
