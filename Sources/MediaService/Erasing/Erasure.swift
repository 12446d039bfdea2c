public import MediaLibrary

extension MediaService {
  /// What the erasure of an owner reached, by class (R-MYM-24).
  public struct OwnerErasure: Hashable, Sendable {
    /// Files, originals, their copies, renditions, verdicts of malware scanners, collections, moments, trips and attachments of drafts, with what could not be read.
    public var library = ErasureRequest.Report()
    /// Moments without a file; they are among those of ``library``, too.
    public var notes = 0
    /// Drafts that were not sent, also those of threads.
    public var drafts = 0
    /// Messages: those of threads, and drafts that were sent and of which the answer was kept.
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

    /// Whether nothing was found to erase.
    package var isEmpty: Bool {
      var numbers = self
      (numbers.library.isWiped, numbers.library.notWiped, numbers.library.notErased) = (false, nil, [])
      (numbers.backupsUntil, numbers.unreached) = (nil, [:])
      return numbers == OwnerErasure()
    }
  }
}
