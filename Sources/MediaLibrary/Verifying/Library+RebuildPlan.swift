public import FileSupport

extension Library {
  /// What a rebuild is about to replace a catalogue with, presented for acceptance if data would be lost.
  public struct RebuildPlan: Sendable {
    /// The source of the new catalogue: the old one, or a snapshot in the copy. Nil for an empty catalogue.
    public var source: PathBytes?
    /// The contents of the new catalogue.
    public var contents = CatalogueContents()
    /// The contents that can be read in the old catalogue and the snapshots, the greatest number of each; nil if nothing can be read.
    public var known: CatalogueContents?
    /// Catalogues that exist and cannot be used, each with the reason.
    public var unusable: [String] = []
    /// Whether the library has a copy that the options do not name.
    public var lacksCopy = false
    /// Whether the catalogue exists and cannot be read, so that it is unknown what it has and ``source`` has not.
    public var isUnreadable = false
    /// A catalogue or snapshot that is newer than ``source``, and has less; nil if there is none.
    public var newer: PathBytes?
    /// What could be recovered of a damaged ``source``; nil if it is intact.
    public var recovery: Recovery?

    /// What could be recovered of a damaged catalogue.
    public struct Recovery: Hashable, Sendable {
      /// The snapshots from which files of damaged pages were taken, the latest first.
      public var snapshots: [PathBytes]
      /// Number of files that were taken from snapshots.
      public var fromSnapshot: Int
      /// Number of files, moments and trips from snapshots whose titles, captions and descriptions may have changed since.
      public var olderTexts: Int
      /// Number of files on damaged pages that no snapshot has; nil if it is unknown.
      public var lost: Int?
      /// Number of moments on damaged pages that no snapshot has; nil if it is unknown.
      public var lostMoments: Int?
      /// Number of trips on damaged pages that neither an index nor a snapshot has; nil if it is unknown.
      public var lostTrips: Int?
      /// Number of moments and trips that were taken from a snapshot or an index. Only their owners see them, until they share them again.
      public var privateAgain: Int
      /// Number of owners whose location-sharing setting cannot be read, and is ``Moment/LocationSharing/none`` now.
      public var unknownSwitches: Int
      /// Whether moderation decisions on damaged pages may be lost: blocks, quarantines, verdicts, reports, or entries of the audit trail.
      public var mayLackDecisions: Bool
    }

    /// Whether the new catalogue has less than can be read now, or may have less than what cannot be read.
    public var losesRows: Bool {
      if let known, known.exceeds(contents) { return true }
      if let recovery, recovery.losesRows { return true }
      if newer != nil { return true }
      return isUnreadable || (source == nil && (!unusable.isEmpty || lacksCopy))
    }

    /// The source of the new catalogue and its contents, in a sentence without its full stop.
    var origin: String {
      guard let source else { return "empty, because no catalogue and no snapshot could be read" }
      let parts = ["made from \(source): \(contents)"] + (recovery?.sentences ?? [])
      return parts.joined(separator: "; ")
    }

    /// The loss and the existing data, in sentences.
    public var description: String {
      var lines: [String] = []
      if let source {
        lines.append("The new catalogue would be made from \(source): \(contents).")
      } else {
        lines.append("The new catalogue would be empty.")
      }
      if let known, known.exceeds(contents) { lines.append("The catalogues that can be read have \(known).") }
      if let newer { lines.append("\(newer) is newer but has less data; changes that only it has would be lost.") }
      if let recovery { lines += recovery.sentences.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." } }
      if isUnreadable {
        lines.append(
          "The catalogue cannot be read, so it is unknown how many newer files, titles and captions would be lost.")
      }
      lines += unusable.map { "This source cannot be used: \($0)\($0.hasSuffix(".") ? "" : ".")" }
      if lacksCopy { lines.append("The library has a copy; give the copy's folder with --copy.") }
      return lines.joined(separator: " ")
    }
  }
}

extension Library.RebuildPlan: CustomStringConvertible {}

extension Library.RebuildPlan.Recovery {
  init(_ report: RecoveredRows.Report) {
    (fromSnapshot, snapshots, olderTexts) = (report.fromSnapshot, report.snapshots, report.olderTexts)
    (lost, lostMoments, lostTrips) = (report.lost, report.lostMoments, report.lostTrips)
    (privateAgain, unknownSwitches) = (report.filledMoments, report.unknownSwitches)
    mayLackDecisions = report.mayLackDecisions
  }

  /// Whether rows or texts are lost, or may be.
  var losesRows: Bool { olderTexts != 0 || lost != 0 || lostMoments != 0 || lostTrips != 0 || mayLackDecisions }

  /// Where the rows come from, and what is lost, each without a capital and a full stop.
  var sentences: [String] {
    var sentences = ["the catalogue is damaged, and was copied as far as it can be read"]
    if fromSnapshot > 0 {
      let names = snapshots.map(\.description).joined(separator: ", ")
      sentences.append(
        "\(Self.count(fromSnapshot, "file")) on damaged pages \(fromSnapshot == 1 ? "was" : "were") taken from \(names)"
      )
    }
    if olderTexts > 0 {
      let number = Self.count(olderTexts, "file, moment or trip", "files, moments and trips")
      sentences.append("titles and captions of \(number) may be older than the damaged ones")
    }
    if privateAgain > 0 {
      let number = Self.count(privateAgain, "moment or trip", "moments and trips")
      sentences.append("\(number) on damaged pages \(privateAgain == 1 ? "was" : "were") made private")
    }
    if unknownSwitches > 0 {
      let number = Self.count(unknownSwitches, "owner")
      sentences.append("no locations are stored for \(number) whose setting cannot be read")
    }
    if mayLackDecisions { sentences.append("moderation decisions on damaged pages may be lost") }
    for (number, name) in [(lost, "file"), (lostMoments, "moment"), (lostTrips, "trip")] {
      switch number {
      case .some(0): break
      case .some(let number):
        sentences.append("\(Self.count(number, name)) on damaged pages \(number == 1 ? "is" : "are") lost")
      case nil: sentences.append("it is unknown how many \(name)s on damaged pages are lost")
      }
    }
    return sentences
  }

  private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }
}
