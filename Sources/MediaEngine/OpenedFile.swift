internal import CEngineShims
internal import Glibc
internal import MediaModel

/// A source's file, open for reading and nothing else; closed at its end.
struct OpenedFile: ~Copyable {
  let descriptor: CInt
  /// Bytes, as they were when it was opened.
  let size: Int
  /// Which file it is and in what state, when it was opened.
  let state: FileState?

  deinit { close(descriptor) }

  /// Opens it. Blocking: on a thread of the engine's own.
  init(_ source: MediaSource) throws(MediaFailure) {
    switch source.content {
    case .path(let path): try self.init(path: path)
    case .descriptor(let descriptor):
      guard descriptor.number >= 0 else { throw .opening(descriptor.failure) }
      try self.init(taking: Self.readOnly(descriptor.number))
    case .bytes(let bytes):
      var memory = try MemoryFile(limit: .max)
      try memory.append(bytes)
      try self.init(taking: memory.finish())
    }
  }

  private init(path bytes: [UInt8]) throws(MediaFailure) {
    guard !bytes.contains(0) else { throw .opening(ENOENT) }
    let path = bytes.map { CChar(bitPattern: $0) } + [0]
    // Looked at before it is opened: opening is an act for a FIFO or a device.
    var status = stat()
    guard stat(path, &status) == 0 else { throw .opening(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(status.st_mode) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .opening(errno) }
    try self.init(taking: descriptor)
  }

  private init(taking descriptor: CInt) throws(MediaFailure) {
    var status = stat()
    let code = fstat(descriptor, &status) == 0 ? 0 : errno
    guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      if code != 0 { throw .opening(code) }
      throw .notRegular(status.st_mode)
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    state = FileState(descriptor: descriptor)
  }

  /// The file of a descriptor, opened anew for reading only: a worker that a file has taken over must not write to it.
  private static func readOnly(_ descriptor: CInt) throws(MediaFailure) -> CInt {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .opening(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(status.st_mode) }
    let opened = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    if opened >= 0 { return opened }
    let code = errno
    // No /proc, or a file that may not be opened again: good enough if it cannot write as it is.
    guard fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY else { throw .opening(code) }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .opening(errno) }
    return copy
  }
}

extension MediaFailure {
  fileprivate static func opening(_ error: CInt) -> MediaFailure {
    let detail = String(cString: strerror(error))
    switch error {
    case ENOENT, ENOTDIR: return .noSuchFile(detail: detail)
    case EACCES, EPERM: return .mayNotBeRead(detail: detail)
    default: return .cannotBeOpened(detail: detail)
    }
  }

  fileprivate static func notRegular(_ mode: mode_t) -> MediaFailure {
    switch mode & S_IFMT {
    case S_IFDIR: .notAFile("a directory")
    case S_IFIFO: .notAFile("a pipe")
    case S_IFSOCK: .notAFile("a socket")
    default: .notAFile("a device")
    }
  }
}
