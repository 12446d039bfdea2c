internal import Dispatch
internal import Foundation
internal import Glibc
internal import MediaEngine

@testable internal import MediatoolCommand

/// A terminal that the command takes for a real one; what it shows is read here.
final class PseudoTerminal: Sendable {
  /// The device that the command opens.
  let path: String
  private let ours: CInt
  private let theirs: CInt
  private let shown = Locked<[UInt8]>([])
  private let ended = DispatchSemaphore(value: 0)
  /// Signalled whenever something is shown.
  private let news = DispatchSemaphore(value: 0)

  /// - Parameter width: Cells of a line; nil for a terminal that does not say.
  init(width: UInt16? = nil) throws {
    // posix_openpt and its companions are hidden from Swift's Glibc module; these are what they do (ioctl_tty(2)).
    ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (CInt, CInt) = (0, -1)
    let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    guard ours >= 0, ioctl(ours, setLock, &locked) == 0, ioctl(ours, getNumber, &number) == 0 else {
      throw SystemError("/dev/ptmx")
    }
    path = "/dev/pts/\(number)"
    // Held open here, so that reading does not end before the command has opened it.
    theirs = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard theirs >= 0 else { throw SystemError(path) }
    if let width { resize(to: width) }
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(ours, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        // An error is how a terminal says that nobody has it open any more.
        guard count > 0 else { break }
        shown.withLock { $0 += buffer[..<count] }
        news.signal()
      }
      ended.signal()
    }
  }

  deinit { close(ours) }

  /// Changes the number of cells of a line, as a terminal's window does.
  func resize(to width: UInt16) {
    var size = winsize(ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(theirs, UInt(TIOCSWINSZ), &size)
  }

  /// Types a text, which is shown too, as by a real terminal. The character U+0004 ends the input, as Ctrl-D does.
  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(ours, bytes, bytes.count) == bytes.count else { throw SystemError(path) }
  }

  /// Waits until a text is shown.
  func waitUntilShown(_ text: String) throws {
    while !shown.withLock({ String(decoding: $0, as: UTF8.self) }).contains(text) {
      guard news.wait(timeout: .now() + Command.patience) == .success else { throw NotShown(text: text) }
    }
  }

  struct NotShown: Error { let text: String }

  /// Everything that was shown. Called once, after the command has ended.
  func text() -> String {
    close(theirs)
    ended.wait()
    return shown.withLock { String(decoding: $0, as: UTF8.self) }
  }
}
