internal import Foundation

/// The table in Markdown, and the raw figures below it.
struct Report {
  var results: [RowResult]
  var machine: String

  var text: String {
    var lines = [
      "| work | mediatool | compared with | time of that | ratio | target | met |", "|---|---|---|---|---|---|---|",
    ]
    for result in results {
      let row = result.row
      let ratio: String
      let goal: String
      switch row.requirement {
      case .speed(let atLeast): (ratio, goal) = ("\(number(result.figure)) × as fast", "at least \(number(atLeast)) ×")
      case .time(let atMost): (ratio, goal) = ("\(number(result.figure)) × the time", "at most \(number(atMost)) ×")
      case .processor(let atMost):
        (ratio, goal) = ("\(number(result.figure)) × the processor time", "at most \(number(atMost)) ×")
      case .start(let below): (ratio, goal) = ("–", "below \(milliseconds(below))")
      case .workers(let atMost): (ratio, goal) = ("–", "at most \(atMost)")
      case .throughput(_, let atLeast):
        (ratio, goal) = ("\(number(result.figure)) MB/s", "at least \(number(atLeast)) MB/s")
      case .added(let atMost, _):
        (ratio, goal) = ("\(number(result.figure)) ms more a file", "at most \(number(atMost)) ms")
      case .memory(let below): (ratio, goal) = ("–", "below \(number(below)) MiB")
      case .growth(let atMost):
        (ratio, goal) = ("\(number(result.figure)) MiB more", "at most \(number(atMost)) MiB more")
      case .each(let below, _): (ratio, goal) = ("–", "below \(milliseconds(below))")
      }
      var ours = seconds(result.ours)
      if case .memory = row.requirement { ours = "\(number(result.figure)) MiB" }
      if case .each = row.requirement { ours = milliseconds(result.figure) }
      if case .workers = row.requirement { ours = "\(Int(result.figure)) workers" }
      var theirs = row.peer == nil ? "–" : seconds(result.peer)
      if case .processor = row.requirement {
        (ours, theirs) = (processorSeconds(result.ours), processorSeconds(result.peer))
      }
      if case .start = row.requirement {
        (ours, theirs) = (milliseconds(result.figure), milliseconds(median(result.peer.map(\.seconds))))
      }
      if case .growth = row.requirement { (ours, theirs) = (peak(result.ours), peak(result.peer)) }
      lines.append(
        "| \(row.work) | \(ours) | \(row.peer == nil ? "–" : row.peerName) | \(theirs) | \(ratio) | \(goal) | \(result.isReached ? "yes" : "**no**") |"
      )
    }
    lines += ["", "\(machine)", "", "Every run, in seconds and MiB of peak memory:", "", "```"]
    for result in results {
      lines.append("\(result.row.work)\(result.row.peer == nil ? "" : ", against \(result.row.peerName)")")
      lines.append("  ours   \(raw(result.ours))")
      if result.row.peer != nil { lines.append("  theirs \(raw(result.peer))") }
    }
    return (lines + ["```", ""]).joined(separator: "\n")
  }

  private func seconds(_ runs: [Measurement]) -> String { String(format: "%.3f s", median(runs.map(\.seconds))) }
  private func processorSeconds(_ runs: [Measurement]) -> String {
    String(format: "%.3f s", median(runs.map(\.processorSeconds)))
  }
  private func peak(_ runs: [Measurement]) -> String {
    "\(number(Double(runs.map(\.peak).max() ?? 0) / 1_048_576)) MiB"
  }
  private func milliseconds(_ seconds: Double) -> String { String(format: "%.3g ms", seconds * 1_000) }
  private func number(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.0f", value) }
  private func raw(_ runs: [Measurement]) -> String {
    runs.map { String(format: "%.3f (%.0f)", $0.seconds, Double($0.peak) / 1_048_576) }.joined(separator: "  ")
  }
}
