internal import LibraryScanner
internal import MediaModel

/// The progress bar of a scan on a terminal: share, speed, remaining time.
struct ScanProgressLine: Sendable {
  private let isWanted: Bool
  private var isShown = false

  /// - Parameter isWanted: Whether to show it: only if standard error is a terminal, and results are not printed there.
  init(isWanted: Bool) { self.isWanted = isWanted && Diagnostics.level != .quiet }

  /// Shows the line after the first half second.
  mutating func show(_ progress: MediaScan.Progress) {
    guard isWanted, progress.seconds > 0.5 else { return }
    isShown = true
    Diagnostics.replaceLine(with: Self.line(progress, width: Terminal.width(2)))
  }

  /// Clears the line.
  mutating func end() {
    if isShown { Diagnostics.replaceLine() }
    isShown = false
  }

  /// The line: `[#####     ] 12345 of 20000  385 files/s  12 MB/s  3 failed  0:20 left`.
  static func line(_ progress: MediaScan.Progress, width: Int) -> String {
    let (totals, isCounted) = (progress.totals, progress.isCounted)
    let seen = totals.all.files
    let total = max(progress.expected.files, seen)
    var parts = ["\(seen) of \(total)\(isCounted ? "" : "+")"]
    if progress.seconds > 0 {
      parts.append(ScanSummary.perSecond(progress.filesPerSecond))
      parts.append(HumanNumbers.size(Int(min(Double(totals.examined.bytes) / progress.seconds, 1e18))) + "/s")
    }
    if totals.failed > 0 { parts.append("\(totals.failed) failed") }
    if let left = progress.secondsLeft { parts.append(HumanNumbers.duration(left.rounded()) + " left") }
    let text = parts.joined(separator: "  ")
    let room = min(30, width - text.count - 4)
    guard isCounted, room >= 5, total > 0 else { return text }
    let full = min(room, room * seen / total)
    return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: room - full) + "] " + text
  }
}
