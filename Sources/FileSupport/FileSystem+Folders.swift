#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension FileSystem {
  /// Creates a folder and those above it. Succeeds if the folder, or a link to a folder, exists.
  /// - Parameters:
  ///   - permissions: The mode of new folders: 0700, or 0755 less the umask.
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

  /// - Returns: False if the folder above does not exist.
  package static func makeOneFolder(
    _ path: PathBytes, _ permissions: AtomicFile.Permissions, syncs: Bool = true
  ) throws(FileError) -> Bool {
    if path.withCString({ mkdir($0, permissions == .userOnly ? 0o700 : 0o755) }) == 0 {
      // The content of the folder survives a crash only if the folder's own name does.
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

  /// Syncs the names in a folder to the disk, if the user can read the folder and the file system supports it.
  package static func syncFolder(_ path: PathBytes) throws(FileError) {
    let descriptor = path.withCString { openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      // A folder in which the user can create files but which the user cannot read.
      if errno == EACCES { return }
      throw .last
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last }
  }

  /// The names in a folder as bytes, sorted, without `.` and `..`.
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
  /// - Returns: Whether the folder is gone; false if it is not empty.
  @discardableResult
  package static func removeEmptyFolder(_ path: PathBytes) throws(FileError) -> Bool {
    if path.withCString({ rmdir($0) }) == 0 || errno == ENOENT { return true }
    let error = FileError.last
    guard error.code == ENOTEMPTY || error.code == EEXIST else { throw error }
    return false
  }
}
