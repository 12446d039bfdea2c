internal import FileSupport
internal import Foundation
internal import LibraryScanner
internal import MediaLibrary
internal import MediaModel

/// The summary at the end of a scan.
struct ScanSummary {
  let totals: MediaScan.Totals
  let seconds: Double

  var lines: [String] {
    var lines = ["\(Self.count(totals.all.files, "file")), \(HumanNumbers.size(totals.all.bytes)), in \(time)\(rate)"]
    if !totals.states.isEmpty {
      lines.append(
        "  "
          + order.compactMap { name in totals.states[name].map { "\(name.rawValue) \($0.files)" } }.joined(
            separator: "  "))
    }
    if !totals.kinds.isEmpty {
      lines.append("kinds")
      for (kind, count) in totals.kinds.sorted(by: {
        ($0.value.files, $1.key.rawValue) > ($1.value.files, $0.key.rawValue)
      }) {
        lines.append("  \(Self.padded(kind.rawValue)) \(count.files)  \(HumanNumbers.size(count.bytes))")
      }
    }
    if !totals.failures.isEmpty {
      lines.append("failures (`mediatool scan --failures` lists the files)")
      for (code, count) in totals.failures.sorted(by: { ($0.value, $1.key.rawValue) > ($1.value, $0.key.rawValue) }) {
        lines.append("  \(Self.padded(code.rawValue)) \(count)")
      }
    }
    if totals.examined.files > MediaScan.Totals.slowest {
      lines.append("slowest")
      for slow in totals.slow {
        lines.append("  \(HumanNumbers.duration(slow.seconds))  \(DisplayText.visible(PathBytes(slow.path.bytes)))")
      }
    }
    return lines
  }

  private var order: [MediaScan.Event.File.State] {
    [.new, .changed, .retried, .completed, .moved, .linked, .returned, .unchanged, .vanished]
  }

  private var time: String { HumanNumbers.duration(seconds) }

  /// Files per second, of examined files only: the rate over unchanged files has no meaning.
  private var rate: String {
    guard totals.examined.files > 0, seconds > 0 else { return "" }
    let files = Double(totals.examined.files) / seconds
    let bytes = Double(totals.examined.bytes) / seconds
    return " (\(Self.perSecond(files)), \(HumanNumbers.size(Int(min(bytes, 1e18))))/s)"
  }

  static func perSecond(_ files: Double) -> String {
    String(format: files < 9.95 ? "%.1f" : "%.0f", files) + " files/s"
  }
  static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 14 - text.count))
  }
}
