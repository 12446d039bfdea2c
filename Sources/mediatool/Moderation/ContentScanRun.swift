internal import FileSupport
internal import Foundation
internal import MalwareScanning
internal import MediaLibrary
internal import MediaModel

/// Scans the file contents of a library for malware, several at a time.
struct ContentScanRun: Sendable {
  /// What a run has found.
  struct Totals: Sendable, CustomStringConvertible {
    var clean = 0
    var infected = 0
    var unscannable = 0
    /// Content that could not be scanned, which a moderator has accepted.
    var accepted = 0
    /// Files that changed since the library examined them.
    var changed = 0
    /// File contents whose rows in the catalogue are damaged.
    var damaged = 0
    /// Whether the scanner could not be asked any more.
    var isAway = false

    /// Whether nothing was found, and nothing remains.
    var isClean: Bool { infected == 0 && unscannable == 0 && changed == 0 && damaged == 0 && !isAway }

    var description: String {
      let parts = [
        (clean, "clean"), (infected, "infected"), (unscannable, "not scannable"),
        (accepted, "not scannable but accepted"),
        (changed, "changed since they were added"),
        (damaged, "damaged in the catalogue"),
      ]
      return parts.filter { $0.0 > 0 || $0.1 == "clean" }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    }
  }

  let library: Library
  let scanner: any MalwareScanner
  /// Number of scans at a time.
  let jobs: Int

  /// Scans all file contents that need it. Ends when the scanner cannot be asked or the task is cancelled; what was found by then is stored.
  /// - Parameters:
  ///   - all: Whether to scan file contents again whatever their verdict is.
  ///   - found: Called with every verdict that is not clean.
  func run(all: Bool, found: (Moderation.Verdict) throws -> Void) async throws -> Totals {
    var totals = Totals()
    let status = await scanner.status()
    guard status.isUp else {
      totals.isAway = true
      return totals
    }
    let start = Self.now
    var last: ContentDigest?
    repeat {
      let page = try library.moderation.unscanned(
        after: last, by: start, signatures: status.signatures, all: all, limit: jobs)
      totals.damaged += page.damaged
      for case let verdict? in await verdicts(of: page.candidates, &totals) {
        // What a cancelled run did not scan is no finding.
        if verdict.state == .pending {
          totals.isAway = true
          continue
        }
        try library.moderation.record(verdict, at: Self.now)
        switch verdict.state {
        case .clean, .pending: totals.clean += 1
        case .infected: totals.infected += 1
        case .unscannable where try library.moderation.verdict(of: verdict.content)?.isAccepted == true:
          totals.accepted += 1
          continue
        case .unscannable: totals.unscannable += 1
        }
        if verdict.state != .clean { try found(verdict) }
      }
      last = page.next
    } while last != nil && !totals.isAway && !Task.isCancelled
    return totals
  }

  private func verdicts(of page: [Moderation.Candidate], _ totals: inout Totals) async -> [Moderation.Verdict?] {
    let (scanner, now) = (scanner, Self.now)
    let verdicts = await withTaskGroup(of: Moderation.Verdict?.self) { group in
      for candidate in page { group.addTask { await scanner.verdict(of: candidate, at: now) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    totals.changed += verdicts.count { $0 == nil }
    return verdicts
  }

  private static var now: Int { Int(Date().timeIntervalSince1970) }
}
