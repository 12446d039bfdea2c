internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library.VerificationReport {
  /// A pass over all stored files in parts.
  public struct Pass: Hashable, Sendable, Codable {
    /// When it began, in seconds since 1970.
    public var started: Int
    /// When it ended, in seconds since 1970; nil while files remain.
    public var ended: Int?
    /// Files compared with their digests so far.
    public var checked = 0
    /// Problems found so far.
    public var problems = 0
    /// Whether a part did not read the copy that the library has, because the library was opened without it.
    public var lacksCopy = false

    /// Whether all files were compared: those of the library, and those of its copy if it has one.
    public var isComplete: Bool { ended != nil && !lacksCopy }

    init(started: Int) { self.started = started }

    /// Decodes a pass. One that does not say whether the copy was read, is not complete.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      started = try container.decode(Int.self, forKey: .started)
      ended = try container.decodeIfPresent(Int.self, forKey: .ended)
      checked = try container.decode(Int.self, forKey: .checked)
      problems = try container.decode(Int.self, forKey: .problems)
      lacksCopy = try container.decodeIfPresent(Bool.self, forKey: .lacksCopy) ?? true
    }
  }
}

extension Library {
  /// Compares the next stored files with their digests, and the stores with the catalogue, as ``verify(_:)`` does: all files in several parts, for libraries that are
  /// too large to be read at once. A part begins where the last one ended, also after a restart; after the last file a new pass begins.
  ///
  /// A pass of which any part was read without the copy ends, and is not complete (``Library/VerificationReport/Pass/isComplete``): the copy's files may be damaged.
  ///
  /// Checks stores alone, not the catalogue itself. Changes nothing but `verification.json` in the folder of the library. Renditions and originals without a
  /// change are read once per pass: parts that are as large as the library divided by the days of a year make it a yearly one.
  /// - Parameters:
  ///   - maxBytes: About how many bytes to read, at least one file.
  ///   - time: The current time, in seconds since 1970.
  ///   - found: Called with each problem.
  ///   - isStopped: Asked after each file whether to end the part early. Default: no.
  /// - Returns: The results of this part; ``Library/VerificationReport/pass`` has those of the pass.
  public func verify(
    atMost maxBytes: Int, at time: Int,
    _ found: (VerificationReport.Problem) -> Void = { _ in }, until isStopped: () -> Bool = { false }
  ) throws(LibraryError) -> VerificationReport {
    let last = try VerificationPosition.read(in: location.data).flatMap { $0.pass.ended == nil ? $0 : nil }
    var position = last ?? VerificationPosition(pass: VerificationReport.Pass(started: time))
    if options.copy == nil, try LibraryMarker.hasCopy(location) { position.pass.lacksCopy = true }
    let before = position.pass
    var report = VerificationReport()
    var (bytes, files) = (0, 0)
    func save() throws(LibraryError) {
      position.pass.checked = before.checked + files
      position.pass.problems = before.problems + report.problems.values.reduce(0, +)
      report.pass = position.pass
      try position.write(in: location.data)
    }
    let unsettled = UnsettledFiles(library: self)
    for one in try verifiedStores() where one.key >= position.store {
      if one.key != position.store { (position.store, position.after) = (one.key, nil) }
      var isOver = false
      let count = try one.comparison.run(
        after: position.after.flatMap(ContentDigest.init(hexadecimal:))
      ) { (address, finding) throws(LibraryError) in
        guard let problem = one.problem(address, finding) else { return }
        switch try unsettled.evaluate(problem) {
        case .settled: break
        case .unsettled: report.unsettled += 1
        case .problem:
          report.problems[problem.code, default: 0] += 1
          found(problem)
        }
      } until: { (address) throws(LibraryError) in
        let size = one.store.path(of: address).flatMap(StoreFiles.size)
        files += size == nil ? 0 : 1
        bytes += size ?? 0
        position.after = address.description
        isOver = bytes >= maxBytes || isStopped()
        // A process that dies repeats at most so many.
        if files % 1_000 == 999 { try save() }
        return isOver
      }
      report.checked += count
      if isOver {
        try save()
        return report
      }
    }
    position.pass.ended = time
    try save()
    return report
  }
}

extension Library {
  /// About how many bytes a pass reads: the originals and renditions that the catalogue has, and as many again in the copy. Reads all rows.
  package func bytesOfPass() throws(LibraryError) -> Int {
    let (from, to) = location.originals.below
    let bytes = try database.read { db in
      let renditions = try Double.fetchOne(db, sql: "SELECT total(bytes) FROM rendition") ?? 0
      let originals = try Double.fetchOne(
        db,
        sql: """
          SELECT total(file.size) FROM folder CROSS JOIN file INDEXED BY file_path ON file.folder = folder.id
          WHERE folder.path > ? AND folder.path < ?
          """, arguments: [from.data, to.data])
      return renditions + (originals ?? 0)
    }
    // Damaged rows may have any number.
    return Int(min(max(0, bytes), 1e18)) * (options.copy == nil ? 1 : 2)
  }
}

/// Where a verification in parts continues.
private struct VerificationPosition: LibraryRecord {
  var pass: Library.VerificationReport.Pass
  /// The key of the store.
  var store = ""
  /// The last address of it that was compared, in hexadecimal digits; nil for none.
  var after: String?

  static let name = Array("verification.json".utf8)
}
