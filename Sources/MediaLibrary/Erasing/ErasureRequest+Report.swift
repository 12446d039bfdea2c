extension ErasureRequest {
  /// The files to erase (R-MYM-12, R-MYM-24).
  public enum Scope: Hashable, Sendable {
    /// One file.
    case file(FileID)
    /// Several files, all or none.
    case files([FileID])
    /// A collection of an owner, with its files.
    case collection(String, owner: String)
    /// An owner with all files, collections, moments and trips.
    case owner(String)
    /// All vanished files.
    case vanished
    /// Moments of an owner, and the originals of their files that nothing else uses. Files in scanned folders stay.
    case moments([Moment.ID], owner: String)
    /// A trip of an owner: the trip alone, or also those of its moments that are in no other trip.
    case trip(Trip.ID, owner: String, withMoments: Bool)
  }

  /// The numbers of what was erased. All zero if there was nothing to erase, for example the second time.
  public struct Report: Hashable, Codable, Sendable {
    /// Files removed from the catalogue.
    public var files = 0
    /// Collections removed from the catalogue.
    public var collections = 0
    /// Moments removed from the catalogue.
    public var moments = 0
    /// Moments without a file; they are among ``moments``, too.
    public var notes = 0
    /// Trips removed from the catalogue.
    public var trips = 0
    /// Reports that the owner made as a reader of other files.
    public var reports = 0
    /// Verdicts of malware scanners on contents that no other file has.
    public var verdicts = 0
    /// Locations of files and moments that were on maps, with their sums.
    public var locations = 0
    /// Snapshots in the copy that were replaced by ones without the erased data.
    public var snapshots = 0
    /// Originals that the library owned.
    public var originals = 0
    /// Originals in the copy.
    public var copies = 0
    /// Size of these originals in bytes.
    public var originalBytes = 0
    /// Renditions that no other file uses, with posters, storyboards and waveforms.
    public var renditions = 0
    /// Drafts of an erased owner, as far as they were saved with their owner (``DraftStore/save(_:for:owner:)``).
    public var drafts = 0
    /// Attachments of drafts made from these files.
    public var attachments = 0
    /// Whether no erased data can be read in the files of the catalogue. False without wiping, on a full disk, and if another process read an older
    /// state all the time; the next call tries again.
    public var isWiped = false
    /// What prevented the wipe; nil if it succeeded, and if none was asked for. It is finished later without a call: when the library is
    /// opened or closed, and after writes.
    public var notWiped: Hindrance?
    /// Unreadable snapshots and drafts, and catalogues that a rebuild set aside, which may still contain erased data. ``isWiped`` is false while
    /// there are any.
    public var notErased: [String] = []

    /// In ``notErased``: the library has a copy, and was opened without it, or its disk is away, so its snapshots and originals were not reached.
    public static let copy = "the copy"

    /// The report of an erasure that found nothing.
    public init() {}

    /// What prevents a wipe.
    public enum Hindrance: String, Hashable, Codable, Sendable {
      /// Another process, or another thread, reads an older state of the catalogue.
      case reader
      /// The disk is too full to rewrite the catalogue.
      case diskFull
    }
  }
}
