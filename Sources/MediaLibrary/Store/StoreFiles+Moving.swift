internal import FileSupport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension StoreFiles {
  /// Up to `count` bytes from the start of a file; nil if there is no file.
  static func start(of path: PathBytes, count: Int) throws(LibraryError) -> [UInt8]? {
    guard let descriptor = try openFile(path) else { return nil }
    defer { FileSystem.release(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    let filled = try LibraryError.mapping("read \(path)") { () throws(FileError) in
      try FileSystem.fill(buffer, from: descriptor)
    }
    return Array(buffer[..<filled])
  }

  /// Renames a file and replaces an existing one; the caller syncs the folders.
  static func move(_ from: PathBytes, to: PathBytes) throws(LibraryError) {
    try LibraryError.mapping("rename \(from) to \(to)") { () throws(FileError) in try FileSystem.move(from, to: to) }
  }

  /// Gives a file a second name, which must be free; copies it if the file system has no hard links.
  static func keep(_ from: PathBytes, as to: PathBytes) throws(LibraryError) {
    if from.withCString({ from in to.withCString { link(from, $0) } }) == 0 { return }
    let error = FileError.last
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else {
      throw LibraryError(error, "link \(from) to \(to)")
    }
    try copy(from, to: to)
  }

  /// Copies a file atomically.
  static func copy(_ from: PathBytes, to: PathBytes) throws(LibraryError) {
    guard let source = try openFile(from) else {
      throw LibraryError(.system, "The file to copy does not exist; check it with `mediatool verify`.", path: from)
    }
    defer { FileSystem.release(source) }
    try write(to: to.name, in: to.folder) { (descriptor) throws(LibraryError) in
      try pieces(of: source, at: from) { (piece) throws(LibraryError) in try put(piece, into: descriptor, of: to) }
    }
  }

  /// Creates an empty file with mode 0600, and replaces an existing one.
  static func makeFile(_ path: PathBytes) throws(LibraryError) {
    try LibraryError.mapping("create \(path)") { () throws(FileError) in
      try AtomicFile.write([], to: path, permissions: .userOnly)
    }
  }

  /// Syncs the content of a file to the disk.
  static func syncFile(_ path: PathBytes) throws(LibraryError) {
    guard let descriptor = try openFile(path) else {
      throw LibraryError(.system, "The file disappeared after it was written; check the disk.", path: path)
    }
    defer { FileSystem.release(descriptor) }
    try LibraryError.mapping("sync \(path)") { () throws(FileError) in try FileSystem.sync(descriptor) }
  }
}

extension PathBytes {
  /// This path with a text at the end of its last component, such as `-wal`.
  func suffixed(_ text: String) -> PathBytes { PathBytes(bytes + Array(text.utf8)) }
}
