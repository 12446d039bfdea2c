/// How the command ends (docs/design.md §7). Scripts depend on the numbers.
enum ExitStatus: Int32 {
  /// Everything was done.
  case done = 0
  /// Some inputs failed; each says so in its own result.
  case someFailed = 1
  /// The rules refuse something; each file says why.
  case refused = 2
  /// The command line is wrong (`EX_USAGE`, the argument parser's own number too).
  case usage = 64
  /// Our own fault, or the machine's: results cannot be written (`EX_SOFTWARE`).
  case software = 70
  /// Stopped by Ctrl-C or SIGTERM.
  case interrupted = 130
}
