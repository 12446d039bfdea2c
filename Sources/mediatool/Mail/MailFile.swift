internal import Glibc
internal import Mail
internal import MediaEngine
internal import MediaModel

/// A file with mails, which is read in pieces. Standard input is kept in memory, because it can be read only once.
///
/// The file is not mapped: another program that shortens a mapped file ends this one (SIGBUS), and one that changes it gives one octet two values.
final class MailFile {
  private let descriptor: CInt
  private let bytes: Int
  private let stop: StopSignal
  private var failure: MediaFailure?
  private let memory: [UInt8]?

  /// Opens a file, or reads standard input.
  init(_ input: Input, stop: StopSignal) throws(MediaFailure) {
    self.stop = stop
    if let (descriptor, bytes) = try MessageBytes.open(input) {
      (self.descriptor, self.bytes, memory) = (descriptor, bytes, nil)
    } else {
      let read = try MessageBytes.read(input, limit: MailInput.maxBytes, stop: stop)
      (descriptor, bytes, memory) = (-1, read.count, read)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The octets of the file.
  var source: MailStructure.Source {
    if let memory { return MailStructure.Source(memory) }
    return MailStructure.Source(count: bytes) { offset, buffer in self.read(offset, buffer) }
  }

  /// Throws the reason why a piece could not be read: then what was found is not what the file contains.
  func check() throws(MediaFailure) { if let failure { throw failure } }

  private func read(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !stop.isRequested else {
      failure = MediaFailure(.cancelled, "The run was interrupted.")
      return 0
    }
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count > 0 { return count }
      if count < 0, errno == EINTR { continue }
      let reason = count == 0 ? "the file became shorter while it was read" : String(cString: strerror(errno))
      failure = failure ?? MediaFailure(.unreadable, "The file could not be read completely.", detail: reason)
      return 0
    }
  }
}
