/// The exit statuses (docs/design.md §7). Scripts depend on the numbers.
enum ExitStatus: Int32 {
  /// Everything was done.
  case done = 0
  /// Some inputs failed; the result of each states why.
  case someFailed = 1
  /// The policy refuses something; the result of each file states why.
  case refused = 2
  /// Invalid command line (`EX_USAGE`, also the number of the argument parser).
  case usage = 64
  /// A fault of this program or the machine: results cannot be written (`EX_SOFTWARE`).
  case software = 70
  /// Stopped by Ctrl-C or SIGTERM.
  case interrupted = 130
}
