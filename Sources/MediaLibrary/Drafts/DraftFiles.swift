internal import Crypto
internal import FileSupport
internal import Glibc
internal import Synchronization

/// The system calls of the store that are about files.
enum DraftFiles {
  private static let count = Atomic<Int>(0)

  /// SHA-256 in lower-case hexadecimal.
  static func digest(_ text: String) -> String {
    Hexadecimal.encode(SHA256.hash(data: Array(text.utf8)))
  }

  /// Puts the bytes into `name` inside `folder`, in place of what is there: beside, sync, rename.
  static func write(_ bytes: [UInt8], to name: String, in folder: String) throws(DraftStoreError) {
    try replace(name, in: folder) { (descriptor) throws(DraftStoreError) in try put(bytes[...], into: descriptor) }
  }

  /// Puts a copy of the file at `path` into `name` inside `folder`.
  static func copy(_ path: String, to name: String, in folder: String) throws(DraftStoreError) {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard source >= 0 else { throw .last("open the file to keep") }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0 else { throw .last("read the file to keep") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .system(code: EINVAL, doing: "keep what is no regular file") }
    try replace(name, in: folder) { (descriptor) throws(DraftStoreError) in
      var buffer = [UInt8](repeating: 0, count: 1 << 17)
      while true {
        let count = Glibc.read(source, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw .last("read the file to keep") }
        if count == 0 { return }
        try put(buffer[..<count], into: descriptor)
      }
    }
  }

  private static func replace(
    _ name: String, in folder: String, _ fill: (CInt) throws(DraftStoreError) -> Void
  ) throws(DraftStoreError) {
    // The number of the process may come again after it was killed; then the next count is free.
    var beside = ""
    var descriptor: CInt = -1
    repeat {
      beside = "\(folder)/.\(getpid())-\(count.add(1, ordering: .relaxed).newValue).tmp"
      descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    } while descriptor < 0 && errno == EEXIST
    guard descriptor >= 0 else { throw .last("write a draft") }
    do throws(DraftStoreError) {
      defer { close(descriptor) }
      try fill(descriptor)
      guard fsync(descriptor) == 0 else { throw .last("sync a draft") }
    } catch {
      unlink(beside)
      throw error
    }
    guard rename(beside, "\(folder)/\(name)") == 0 else {
      let failure = DraftStoreError.last("move a draft to its place")
      unlink(beside)
      throw failure
    }
    // The new name is in the folder, and the folder has to be on the disk too.
    try DraftFolders.sync(folder)
  }

  private static func put(_ bytes: ArraySlice<UInt8>, into descriptor: CInt) throws(DraftStoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .last("write a draft") }
      rest = rest.dropFirst(written)
    }
  }

  /// All bytes of a file; nil when there is none.
  static func read(_ path: String) throws(DraftStoreError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .last("open a draft")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .last("read a draft") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Whether there is such a file; links are followed.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Seconds since 1970 of the last write; nil when there is no such file.
  static func modified(_ path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
  }

  static func remove(_ path: String) throws(DraftStoreError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last("remove a file of a draft") }
  }
}
