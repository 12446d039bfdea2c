internal import Glibc

/// Writes results to standard output, each as soon as it is ready.
struct ResultWriter {
  /// The reader has exited, like `head` after ten lines, which is not an error.
  struct Closed: Error {}

  let descriptor: CInt

  init(descriptor: CInt = STDOUT_FILENO) { self.descriptor = descriptor }

  /// Writes a line with its line end.
  /// - Throws: ``Closed``, or a ``Fault`` if the results cannot be written.
  func write(line: String) throws { try write(lines: [line]) }

  /// Writes lines with their line ends, in one system call if possible.
  /// - Throws: ``Closed``, or a ``Fault`` if the results cannot be written.
  func write(lines: [String]) throws {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    try write(bytes)
  }

  /// Writes bytes unchanged.
  /// - Throws: As ``write(line:)``.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // The pipe may be in non-blocking mode, which belongs to its creator and stays.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      case EPIPE: throw Closed()
      default: throw Fault(.software, "cannot write the results: \(String(cString: strerror(errno)))")
      }
    }
  }
}
