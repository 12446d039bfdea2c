internal import Glibc
internal import MediaEngine

/// Reads a pipe, a terminal or a file in chunks, and stops waiting when the run is stopped.
struct DescriptorReader {
  /// The result of a read.
  enum Step {
    case bytes([UInt8])
    case end
    case stopped
    /// The system's error number.
    case failed(CInt)
  }

  let descriptor: CInt
  let stop: StopSignal

  /// The next chunk, as soon as there is one.
  mutating func read() -> Step {
    while true {
      if stop.isRequested { return .stopped }
      // A signal does not interrupt the read, because another thread handles signals; the second descriptor of poll does.
      var waiting = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waiting, 2, -1) < 0 {
        if errno == EINTR { continue }
        return .failed(errno)
      }
      guard waiting[0].revents != 0 else { continue }
      var count = 0
      var code: CInt = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, filled in
        count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        code = errno
        filled = max(0, count)
      }
      if count > 0 { return .bytes(bytes) }
      if count == 0 { return .end }
      if code != EINTR, code != EAGAIN { return .failed(code) }
    }
  }

  private static let pieceSize = 65_536
}
