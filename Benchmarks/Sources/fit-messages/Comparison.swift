internal import Foundation
internal import MediaModel
internal import Messaging

/// The outcomes of all messages, and their table.
struct Comparison {
  /// Ours against one other way, for the messages that the other way could fit.
  private struct Against {
    var ours: [LadderResult] = []
    var theirs: [LadderResult] = []
    var refused = 0

    mutating func add(ours: LadderResult, theirs: LadderResult) {
      self.ours.append(ours)
      self.theirs.append(theirs)
    }
  }

  private var ways: [(name: String, against: Against)] = [
    ("equal shares, same limit", Against()), ("AOSP Messaging, same bytes", Against()),
    ("Signal, same bytes", Against()),
  ]
  private var used: [Double] = []

  /// Fits a message in every way.
  /// - Returns: A line with the figures.
  mutating func add(_ message: MessageSet.Message, number: Int, ladders: Ladders) async throws -> String {
    var line =
      "\(number) (seed \(number + 2_026)): \(message.profile.name), \(message.composition.attachments.count) images"
    guard let ours = try await ladders.ours(message) else { return line + ": refused" }
    used.append(Double(ours.bytes) / Double(Ladders.budget(of: message)))
    line += "; ours \(Self.text(ours))"
    let others = [
      try await ladders.equalShares(message), try await ladders.aosp(message), try await ladders.signal(message),
    ]
    for (place, other) in others.enumerated() {
      guard let other else {
        ways[place].against.refused += 1
        line += "; \(ways[place].name) –"
        continue
      }
      // Nobody is to win by having more bytes.
      guard let same = place == 0 ? ours : try await ladders.ours(message, bytes: other.bytes) else {
        line += "; \(ways[place].name) \(Self.text(other)), ours refused"
        continue
      }
      ways[place].against.add(ours: same, theirs: other)
      line += "; \(ways[place].name) \(Self.text(other)), ours then \(Self.text(same))"
    }
    return line
  }

  private static func text(_ result: LadderResult) -> String {
    String(format: "%.4f (least %.4f, %d bytes)", result.total, result.minimum, result.bytes)
  }

  /// The table in Markdown.
  var text: String {
    var lines = [
      "| compared with | messages | mean similarity, ours | theirs | total better | worse | mean of the worst image, ours | theirs "
        + "| worst better | worse | not fitted by them |",
      "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for (name, against) in ways {
      let (ours, theirs) = (against.ours, against.theirs)
      func mean(_ results: [LadderResult], _ value: (LadderResult) -> Double) -> String {
        String(format: "%.4f", results.map(value).reduce(0, +) / Double(max(1, results.count)))
      }
      func count(_ value: (LadderResult) -> Double, _ isSo: (Double, Double) -> Bool) -> Int {
        zip(ours, theirs).count { isSo(value($0), value($1)) }
      }
      let average: (LadderResult) -> Double = { $0.total / Double(max(1, $0.similarities.count)) }
      let cells = [
        name, "\(ours.count)", mean(ours, average), mean(theirs, average), "\(count(\.total) { $0 > $1 + 1e-9 })",
        "\(count(\.total) { $0 < $1 - 1e-9 })", mean(ours, \.minimum), mean(theirs, \.minimum),
        "\(count(\.minimum) { $0 > $1 + 1e-9 })", "\(count(\.minimum) { $0 < $1 - 1e-9 })", "\(against.refused)",
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    let share = used.reduce(0, +) / Double(max(1, used.count))
    lines.append(String(format: "\nOurs used %.1f %% of the bytes that there were.", share * 100))
    return lines.joined(separator: "\n")
  }
}
