#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension FileSystem {
  /// Makes a folder and those above it; one that is there, or a link to one, is as good.
  /// - Parameters:
  ///   - permissions: Whether it is for this user alone; else as the umask has it.
  ///   - syncs: Whether the names of what is made are brought to the disk.
  package static func makeFolder(
    _ path: PathBytes, permissions: AtomicFile.Permissions, syncs: Bool = true
  ) throws(FileError) {
    var missing: [PathBytes] = []
    var current = path
    while try !makeOneFolder(current, permissions, syncs: syncs) {
      let above = current.folder
      guard !above.bytes.isEmpty, above != current else { throw FileError(code: ENOENT) }
      missing.append(current)
      current = above
    }
    for folder in missing.reversed() where try !makeOneFolder(folder, permissions, syncs: syncs) {
      throw FileError(code: ENOENT)
    }
  }

  /// - Returns: False where the folder above is not there.
  package static func makeOneFolder(
    _ path: PathBytes, _ permissions: AtomicFile.Permissions, syncs: Bool = true
  ) throws(FileError) -> Bool {
    if path.withCString({ mkdir($0, permissions == .userOnly ? 0o700 : 0o777) }) == 0 {
      // What will lie in it is on the disk only once its own name is.
      if syncs { try syncFolder(above(path)) }
      return true
    }
    let error = FileError.last
    switch error.code {
    case EEXIST: return true
    case ENOENT: return false
    default: throw error
    }
  }

  private static func above(_ path: PathBytes) -> PathBytes {
    let folder = PathBytes(path.bytes[..<path.lastComponent.startIndex])
    return folder.bytes.isEmpty ? PathBytes(".") : folder
  }

  /// Brings the names in a folder to the disk, where the user may read the folder and the file system can.
  package static func syncFolder(_ path: PathBytes) throws(FileError) {
    let descriptor = path.withCString { openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      // A folder in which files may be made, but which may not be read.
      if errno == EACCES { return }
      throw .last
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last }
  }

  /// The names in a folder, but for `.` and `..`, by their bytes.
  package static func names(in folder: PathBytes) throws(FileError) -> [[UInt8]] {
    guard let stream = folder.withCString({ opendir($0) }) else { throw .last }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
      }
      // The name may be longer than the array that the header declares.
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
      if bytes != [0x2E], bytes != [0x2E, 0x2E] { names.append(bytes) }
    }
  }

  /// Removes an empty folder.
  /// - Returns: Whether it is gone now: false for one that has something in it.
  @discardableResult
  package static func removeEmptyFolder(_ path: PathBytes) throws(FileError) -> Bool {
    if path.withCString({ rmdir($0) }) == 0 || errno == ENOENT { return true }
    let error = FileError.last
    guard error.code == ENOTEMPTY || error.code == EEXIST else { throw error }
    return false
  }
}
