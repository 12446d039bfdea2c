internal import CEngineShims
internal import FileSupport
internal import Glibc
internal import MediaModel

/// The file of a source, open for reading only; closed when the value ends.
struct OpenedFile: ~Copyable {
  let descriptor: CInt
  /// Size in bytes when it was opened.
  var size: Int { state.bytes }
  /// Identity and status when it was opened.
  let state: FileStatus

  deinit { close(descriptor) }

  /// Opens the file. Blocking: call it on a thread of the engine.
  init(_ source: MediaSource) throws(MediaFailure) {
    switch source.content {
    case .path(let path): try self.init(taking: MediaFile.open(PathBytes(path)))
    case .descriptor(let descriptor):
      guard descriptor.number >= 0 else { throw .opening(FileError(code: descriptor.failure)) }
      try self.init(taking: Self.readOnly(descriptor.number))
    case .bytes(let bytes):
      var memory = try MemoryFile(limit: .max)
      try memory.append(bytes)
      try self.init(taking: memory.finish())
    }
  }

  private init(taking descriptor: CInt) throws(MediaFailure) {
    do throws(MediaFailure) { state = try MediaFile.status(of: descriptor) } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// The file of a descriptor, reopened for reading only: a compromised worker must not be able to write to it.
  private static func readOnly(_ descriptor: CInt) throws(MediaFailure) -> CInt {
    _ = try MediaFile.status(of: descriptor)
    let opened = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    if opened >= 0 { return opened }
    let error = FileError.last
    // Without /proc, or for a file that must not be opened again, a read-only descriptor is sufficient.
    guard fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY else { throw .opening(error) }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .opening(.last) }
    return copy
  }
}
