internal import CEngineShims
internal import FileSupport
internal import Glibc
internal import MediaModel

/// A source's file, open for reading and nothing else; closed at its end.
struct OpenedFile: ~Copyable {
  let descriptor: CInt
  /// Bytes, as they were when it was opened.
  var size: Int { state.bytes }
  /// Which file it is and in what state, when it was opened.
  let state: FileStatus

  deinit { close(descriptor) }

  /// Opens it. Blocking: on a thread of the engine's own.
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

  /// The file of a descriptor, opened anew for reading only: a worker that a file has taken over must not write to it.
  private static func readOnly(_ descriptor: CInt) throws(MediaFailure) -> CInt {
    _ = try MediaFile.status(of: descriptor)
    let opened = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    if opened >= 0 { return opened }
    let error = FileError.last
    // No /proc, or a file that may not be opened again: good enough if it cannot write as it is.
    guard fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY else { throw .opening(error) }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .opening(.last) }
    return copy
  }
}
