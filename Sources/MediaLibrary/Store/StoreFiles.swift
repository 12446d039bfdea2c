internal import FileSupport
internal import Glibc
internal import Synchronization

/// The system calls of the stores and of erasing.
enum StoreFiles {
  private static let count = Atomic<Int>(0)

  /// What names of files that are being written begin with.
  static let besidePrefix = Array(".tmp-".utf8)

  /// Whether a file beside its place may be one that this process is writing.
  static func isWrittenHere(_ path: PathBytes) -> Bool {
    path.name.drop { $0 != UInt8(ascii: "-") }.starts(with: Array("-\(getpid())-".utf8))
  }

  /// Puts bytes under a name that is not there, or as good: beside, sync, rename.
  static func write(
    to name: [UInt8], in folder: PathBytes, _ fill: (CInt) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    // The number of the process may come again after it was killed; then the next count is free.
    var beside = folder
    var descriptor: CInt = -1
    repeat {
      let number = count.add(1, ordering: .relaxed).newValue
      beside = folder.appending(besidePrefix + Array("\(getpid())-\(number)".utf8))
      descriptor = beside.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    } while descriptor < 0 && errno == EEXIST
    guard descriptor >= 0 else { throw .last("make a file in the store") }
    do throws(LibraryError) {
      defer { close(descriptor) }
      try fill(descriptor)
      guard fsync(descriptor) == 0 else { throw .last("sync a file of the store") }
    } catch {
      _ = beside.withCString { unlink($0) }
      throw error
    }
    let target = folder.appending(name)
    guard beside.withCString({ from in target.withCString { rename(from, $0) } }) == 0 else {
      let failure = LibraryError.last("move a file of the store to its place")
      _ = beside.withCString { unlink($0) }
      throw failure
    }
    // The new name is in the folder, and the folder has to be on the disk too.
    try sync(folder)
  }

  static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: CInt) throws(LibraryError) {
    var offset = 0
    while offset < bytes.count {
      let written = Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .last("write a file of the store") }
      offset += written
    }
  }

  static func sync(_ folder: PathBytes) throws(LibraryError) {
    let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last("open a folder of the library") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last("sync a folder of the library") }
  }

  /// Opens a regular file for reading, no link; nil when there is none.
  static func openFile(_ path: PathBytes) throws(LibraryError) -> CInt? {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .last("open a file of the library")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw LibraryError(.system, "A file of the library is no file.")
    }
    return descriptor
  }

  /// Calls `body` with each piece of an open file, to its end.
  static func pieces(
    of descriptor: CInt, _ body: (UnsafeRawBufferPointer) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .last("read a file of the library") }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Makes a folder for this user alone, and those above it, and brings their names to the disk; one that is there is as good.
  static func makeFolder(_ path: PathBytes) throws(LibraryError) {
    var missing: [PathBytes] = []
    var current = path
    while true {
      if current.withCString({ mkdir($0, 0o700) }) == 0 {
        try syncAbove(current)
        break
      }
      if errno == EEXIST { break }
      guard errno == ENOENT, !current.folder.bytes.isEmpty, current.folder != current else {
        throw .last("make a folder for the library")
      }
      missing.append(current)
      current = current.folder
    }
    for folder in missing.reversed() {
      guard folder.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
        throw .last("make a folder for the library")
      }
      try syncAbove(folder)
    }
  }

  private static func syncAbove(_ path: PathBytes) throws(LibraryError) {
    let above = path.folder
    try sync(above.bytes.isEmpty ? PathBytes(".") : above)
  }

  /// Bytes of a file, of any kind; nil when there is none.
  static func size(_ path: PathBytes) -> Int? {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 ? Int(status.st_size) : nil
  }

  /// - Returns: Whether it was there.
  @discardableResult
  static func remove(_ path: PathBytes) throws(LibraryError) -> Bool {
    if path.withCString({ unlink($0) }) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else { throw .last("remove a file of the library") }
    return false
  }

  /// The names in a folder, but for `.` and `..`, in order; none when it is not there, or is no folder.
  static func names(in folder: PathBytes) throws(LibraryError) -> [[UInt8]] {
    guard let stream = folder.withCString({ opendir($0) }) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw .last("read a folder of the library")
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
