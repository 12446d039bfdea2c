public import MediaLibrary

extension MediaService {
  /// What an erasure reached, by class (R-MYM-24): of an attachment, a moment, a trip, a collection, or an owner. A class that it cannot reach has 0.
  @dynamicMemberLookup
  public struct Erasure: Hashable, Sendable {
    /// Files, originals, their copies, renditions, verdicts of malware scanners, collections, moments with notes, trips, locations on maps, snapshots and attachments of drafts,
    /// with what could not be read.
    public var library = ErasureRequest.Report()
    /// Drafts of an owner that were not sent, also those of threads. Those of which only attachments were erased count in ``library``.
    public var drafts = 0
    /// Messages of an owner: those of threads, and drafts that were sent and of which the answer was kept. Of an attachment, the kept answers that had its facts.
    public var messages = 0
    /// Uploads, under way or with an answer that was kept.
    public var uploads = 0
    /// Images of profiles.
    public var avatars = 0
    /// Labels of attachments.
    public var labels = 0
    /// Answers that were kept for idempotency keys.
    public var answers = 0
    /// Until when backups of the administrator may have the data, in seconds since 1970; nil if the administrator has not stated that
    /// (``Configuration/backupDays``).
    public var backupsUntil: Int?
    /// What could not be erased, by class: `draft`, `messages`, `copy` for a snapshot that cannot be read or a copy that the library was opened without
    /// (``Configuration/libraryOptions``), or `catalogue` for a catalogue that was set aside. The log of the library has the names.
    public var unreached: [String: Int] = [:]

    /// A number of ``library``.
    public subscript<Value>(dynamicMember path: KeyPath<ErasureRequest.Report, Value>) -> Value {
      library[keyPath: path]
    }

    /// Whether nothing was found to erase.
    package var isEmpty: Bool {
      var numbers = self
      (numbers.library.isWiped, numbers.library.notWiped, numbers.library.notErased) = (false, nil, [])
      (numbers.backupsUntil, numbers.unreached) = (nil, [:])
      return numbers == Erasure()
    }

    /// Adds what the service's database had of files.
    mutating func add(_ rows: BuriedRows) {
      (labels, avatars) = (labels + rows.labels, avatars + rows.avatars)
      (uploads, answers, messages) = (uploads + rows.uploads, answers + rows.answers, messages + rows.messages)
    }
  }

  /// Numbers of rows that the service's database had of erased files.
  struct BuriedRows: Sendable {
    var labels = 0
    var avatars = 0
    var uploads = 0
    var answers = 0
    var messages = 0
  }

  /// The report about an attachment, a moment, a trip or a collection.
  /// - Parameters:
  ///   - drafted: Attachments of drafts that were removed before the library was asked.
  func erasure(_ report: ErasureRequest.Report, _ rows: BuriedRows, drafted: Int = 0) -> Erasure {
    var erasure = Erasure(library: report)
    erasure.library.attachments += drafted
    erasure.add(rows)
    erasure.unreached = unreached(report.notErased)
    erasure.backupsUntil = configuration.backupDays.map { now() + $0 * 86_400 }
    return erasure
  }
}
