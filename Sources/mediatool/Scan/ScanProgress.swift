internal import Foundation
internal import MediaEngine

/// The bar that a scan shows on a terminal: how far, how fast, how long still.
final class ScanProgress: Sendable {
  private struct State {
    var totals = ScanTotals()
    var began = ContinuousClock.now
    /// What a walk ahead of the scan has counted.
    var ahead = ScanTotals.Count()
    var isCounted = false
    var isShown = false
  }

  private let isWanted: Bool
  private let state = Locked(State())

  /// - Parameter isWanted: Only where standard error is a terminal, and no results go by on it.
  init(isWanted: Bool) { self.isWanted = isWanted }

  /// The walk ahead has come so far.
  func counted(_ count: ScanTotals.Count, isAll: Bool) {
    state.withLock { ($0.ahead, $0.isCounted) = (count, isAll) }
  }

  /// The scan has come so far. Shown ten times a second by whoever calls ``show()``.
  func update(_ totals: ScanTotals) { state.withLock { $0.totals = totals } }

  /// Shows the line, if there is anything to see yet.
  func show() {
    guard isWanted else { return }
    state.withLock { state in
      let seconds = Self.seconds(since: state.began)
      guard seconds > 0.5 else { return }
      state.isShown = true
      let line = Self.line(
        state.totals, ahead: state.ahead, isCounted: state.isCounted, seconds: seconds, width: Terminal.width(2))
      Diagnostics.replaceLine(with: line)
    }
  }

  /// Takes the line away.
  func end() {
    state.withLock { state in
      if state.isShown { Diagnostics.replaceLine() }
      state.isShown = false
    }
  }

  /// Seconds since the scan began.
  var seconds: Double { state.withLock { Self.seconds(since: $0.began) } }

  /// The line: `[#####     ] 12345 of 20000  385 files/s  12 MB/s  3 failed  0:20 left`.
  static func line(
    _ totals: ScanTotals, ahead: ScanTotals.Count, isCounted: Bool, seconds: Double, width: Int
  ) -> String {
    let seen = totals.all.files
    let total = max(ahead.files, seen)
    let examined = totals.examined
    var parts = ["\(seen) of \(total)\(isCounted ? "" : "+")"]
    if seconds > 0 {
      parts.append(ScanSummary.perSecond(Double(seen) / seconds))
      parts.append(HumanNumbers.size(Int(min(Double(examined.bytes) / seconds, 1e18))) + "/s")
    }
    if totals.failed > 0 { parts.append("\(totals.failed) failed") }
    if isCounted, seen > 0, total > seen {
      // By files: a video takes hardly longer than a photo, however many bytes it has.
      parts.append(HumanNumbers.duration((seconds * Double(total - seen) / Double(seen)).rounded()) + " left")
    }
    let text = parts.joined(separator: "  ")
    let room = min(30, width - text.count - 4)
    guard isCounted, room >= 5, total > 0 else { return text }
    let full = min(room, room * seen / total)
    return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: room - full) + "] " + text
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let time = start.duration(to: .now).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
  }
}
