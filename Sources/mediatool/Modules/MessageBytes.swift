internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaModel

/// Reads an input that is a message. In this process, because parsing a message needs no decoder.
enum MessageBytes {
  /// All bytes of the file at a path, or of standard input.
  /// - Throws: `tooLarge` for more than `limit` bytes.
  static func read(_ input: Input, limit: Int, stop: StopSignal) throws(MediaFailure) -> [UInt8] {
    guard let (descriptor, _) = try open(input) else { return try read(STDIN_FILENO, limit: limit, stop: stop) }
    defer { close(descriptor) }
    return try read(descriptor, limit: limit, stop: stop)
  }

  /// A descriptor of the file at a path, which the caller closes, and its size in bytes; nil for standard input.
  static func open(_ input: Input) throws(MediaFailure) -> (descriptor: CInt, bytes: Int)? {
    switch input.content {
    case .failed(let failure): throw failure
    case .standardInput: return nil
    case .opened: throw MediaFailure(.unsupported, "A member of a tar file cannot be read as a message.")
    case .remote: throw MediaFailure(.unsupported, "This command does not read URLs; download the file first.")
    case .file: break
    }
    // Non-blocking, because the file may have become a pipe after the engine checked it.
    let descriptor = input.path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else {
      throw MediaFailure.opening(FileError(code: errno))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw MediaFailure(.unreadable, "The file was replaced by something that is not a regular file.")
    }
    return (descriptor, Int(status.st_size))
  }

  private static func read(_ descriptor: CInt, limit: Int, stop: StopSignal) throws(MediaFailure) -> [UInt8] {
    var reader = DescriptorReader(descriptor: descriptor, stop: stop)
    var all: [UInt8] = []
    while true {
      switch reader.read() {
      case .end: return all
      case .stopped: throw MediaFailure(.cancelled, "The run was interrupted.")
      case .failed(let code):
        throw MediaFailure(
          .unreadable, "The file could not be read completely.", detail: String(cString: strerror(code)))
      case .bytes(let bytes):
        guard all.count + bytes.count <= limit else {
          throw MediaFailure(.tooLarge, "The file is larger than the limit of \(HumanNumbers.limit(limit)).")
        }
        all += bytes
      }
    }
  }
}
