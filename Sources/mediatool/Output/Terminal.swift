internal import Foundation
internal import Glibc

/// The properties of the terminal of a descriptor.
enum Terminal {
  /// Whether the descriptor is a terminal.
  static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

  /// Whether to use colors: on a terminal that supports them, unless the user objects (no-color.org).
  static func usesColors(_ descriptor: CInt) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return isTerminal(descriptor) && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Columns: `COLUMNS`, else the terminal's; 100 without a terminal, for example in a pipe.
  static func width(_ descriptor: CInt) -> Int {
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
      return columns
    }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
    return Int(size.ws_col)
  }
}
