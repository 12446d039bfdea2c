internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MalwareScanning
internal import MediaLibrary

/// `mediatool moderate`: decides what may be seen in a library.
struct Moderate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moderate",
    abstract:
      "Block file content, quarantine files and scan for malware in a library; list users' reports and moderators' decisions.",
    discussion: """
      A quarantined file and its moments are hidden from all listings until the file is released. Blocking file content quarantines every file \
      that has it, whoever \
      owns it, including files added later. Content is recognised by its SHA-256, so files that were added by a scan without --digest can be neither blocked nor scanned for malware: \
      quarantine them, or scan their folder again with --digest. Nothing is deleted.

      ACTIONS
        list                      lists the quarantined files, with the reasons
        blocked                   lists the blocked content
        show FILE ...             prints what was decided about files
        unscannable               lists the files that could not be scanned, such as
                                  encrypted ones, and that nobody has accepted
                                  or blocked
        accept DIGEST|FILE ...    accepts such content: its files count as clean
                                  until a scan finds malware
        block DIGEST|FILE ...     blocks the content of files; rejects content that
                                  could not be scanned, even if it was accepted
        unblock DIGEST|FILE ...   removes blocks
        block-image HASH|FILE ... blocks images that look like these, for
                                  `serve --similar-images` and
                                  `scan --quarantine-similar`
        unblock-image HASH|FILE ...
                                  removes these blocks
        blocked-images            lists the blocked images
        similar HASH|FILE ...     lists files that look like these images
        quarantine FILE ...       quarantines these files, but no others with the
                                  same content
        release FILE ...          shows quarantined files again and discards the
                                  reports about them
        hold --moment ID          hides notes from everyone but their owner, until
                                  `release --moment ID`; with --trip, the texts
                                  of trips
        held                      lists the held notes and other moments
        held-trips                lists the held trips
        protect FILE ...          keeps users' reports from hiding these files, and
                                  `erase --vanished` from erasing them; with
                                  --moment, keeps reports from holding notes
        unprotect FILE ...        removes the protection
        reports                   lists the reports of users
        dismiss FILE ...          discards the reports about files, or with
                                  --moment about notes
        scan                      scans with clamd the files that were never scanned,
                                  were scanned with older signatures, or whose
                                  last scan had no result
        audit                     lists the decisions, most recent first

      A moment with a file is hidden with its file; a note is a moment without one. show, release, protect, unprotect and dismiss also take --moment and --trip. \
      FILE is the path of a file, or its id as `find --json` prints it; DIGEST is a SHA-256 of 64 hexadecimal digits; HASH is a perceptual hash of an image in 16 hexadecimal digits: \
      re-encoded and resized copies differ in few of its 64 bits (--distance). Malware that `scan` finds is quarantined; a file is \
      shown again when a later scan finds none. clamd gets a descriptor of each file over unix:PATH, and its bytes over tcp:HOST:PORT. \
      Prints JSON when standard output is not a terminal, or with --json.

      EXAMPLES
        mediatool moderate block beach.jpg --reason "copyright"
        mediatool moderate quarantine 4711 --reason "reported" --by ada
        mediatool moderate release 4711
        mediatool moderate accept 4712 --reason "opened with the password"
        mediatool moderate hold --moment 12 --reason "names a child"
        mediatool moderate scan --clamd unix:/run/clamav/clamd.ctl
        mediatool moderate audit --limit 20

      EXIT STATUS
        0    the action succeeded; with scan, all scanned files are clean
        1    some files are not in the library, or what should be unblocked is
             not blocked, or malware was found, or some files could not be
             scanned
        64   the command line is invalid, or there is no library
        70   the library cannot be read or written, or clamd does not answer
        130  interrupted by Ctrl-C or SIGTERM; the results so far are stored
      """)

  /// What to do. In the order of the help.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case list, blocked, show, unscannable, accept, block, unblock
    case blockImage = "block-image"
    case unblockImage = "unblock-image"
    case blockedImages = "blocked-images"
    case similar, quarantine, release, hold, held
    case heldTrips = "held-trips"
    case protect, unprotect, reports, dismiss, scan, audit

    /// Whether it takes files.
    var takesFiles: Bool {
      ![.list, .blocked, .blockedImages, .unscannable, .hold, .held, .heldTrips, .reports, .scan, .audit].contains(self)
    }
    /// Whether it changes nothing.
    var isReading: Bool {
      [.list, .blocked, .blockedImages, .unscannable, .similar, .show, .held, .heldTrips, .reports, .audit].contains(
        self)
    }
  }

  @Argument(help: ArgumentHelp("What to do.", valueName: "action")) var action: Action
  @Argument(
    help: ArgumentHelp("Paths or ids of files, digests of their content, or hashes of images.", valueName: "file"),
    completion: .file())
  var arguments: [PathArguments] = []

  @Option(help: ArgumentHelp("The reason, for moderators and the audit trail.", valueName: "text"))
  var reason: String?

  @Option(
    help: ArgumentHelp(
      "With show, hold, release, protect, unprotect and dismiss, the moment with this id. Repeatable.",
      valueName: "moment"),
    transform: Number.parser(1...Number.largest))
  var moment: [Int] = []

  @Option(
    help: ArgumentHelp(
      "With show, hold, release, protect, unprotect and dismiss, the trip with this id. Repeatable.",
      valueName: "trip"),
    transform: Number.parser(1...Number.largest))
  var trip: [Int] = []

  @Option(
    help: ArgumentHelp(
      "The name of the moderator, for the audit trail. (default: your user name)", valueName: "name"))
  var by: String?

  @Option(
    help: ArgumentHelp(
      "With block-image and similar, the number of bits that may differ, 0 to 8. (default: 4)", valueName: "bits"),
    transform: Number.parser(0...Moderation.ImageHash.maxDistance))
  var distance: Int?

  @Flag(
    help:
      "With block-image, also quarantine the files of the library that look like these images, unless a moderator has released or protected them."
  )
  var quarantineSimilar = false

  @Option(
    help: ArgumentHelp(
      "With scan, the clamd to ask: unix:PATH or tcp:HOST:PORT. Set AlertExceedsMax and AlertEncrypted to yes in its clamd.conf. (default: $MEDIATOOL_CLAMD)",
      valueName: "address"),
    transform: ClamdArgument.parse)
  var clamd: ClamdArgument?

  @Option(
    help: ArgumentHelp(
      "With scan, do not scan files larger than this. Set it to the smallest of MaxFileSize, MaxScanSize and, over TCP, StreamMaxLength in clamd.conf. (default: 104857600)",
      valueName: "bytes"),
    transform: Number.parser(1...Number.largest))
  var clamdMaxBytes: Int?

  @Flag(help: "With scan, scan all files again, whatever the last result was.") var all = false

  @OptionGroup var libraryOptions: LibraryOptions
  @OptionGroup var listing: ListingOptions

  var names: [PathBytes] { arguments.flatMap(\.paths) }

  func validate() throws {
    try checkMomentsAndTrips()
    if action.takesFiles, names.isEmpty, moment.isEmpty, trip.isEmpty {
      throw ValidationError("\(action.rawValue) takes files.")
    }
    if !action.takesFiles, !names.isEmpty { throw ValidationError("\(action.rawValue) takes no files.") }
    if [.block, .blockImage, .quarantine, .hold].contains(action), reason?.isEmpty ?? true {
      throw ValidationError("\(action.rawValue) needs --reason.")
    }
    if distance != nil, ![.blockImage, .similar].contains(action) {
      throw ValidationError("--distance needs block-image or similar.")
    }
    if quarantineSimilar, action != .blockImage { throw ValidationError("--quarantine-similar needs block-image.") }
    if action != .scan, clamd != nil || all || clamdMaxBytes != nil {
      throw ValidationError("--clamd, --clamd-max-bytes and --all need scan.")
    }
  }

  func run() throws {
    if action == .scan { return try scan() }
    let library = try libraryOptions.open(for: action.isReading ? .reading : .writing)
    try LibraryOptions.run {
      let output = ModerationOutput(library: library, listing: listing)
      switch action {
      case .list: try output.quarantined()
      case .blocked: try output.blocked()
      case .reports: try output.reports()
      case .audit: try output.audit()
      case .held: try output.held()
      case .heldTrips: try output.heldTrips()
      case .unscannable: try output.unscannable()
      case .blockedImages: try output.blockedImages()
      case .similar:
        try output.similar(
          try images(in: library).map { $0.hash }, within: distance ?? Moderation.ImageHash.standardDistance)
      case .blockImage, .unblockImage: try decideOnImages(library, output)
      default: try decide(library, output)
      }
      try library.close()
    }
  }

  /// The name of the user who runs the command; their number if they have no name.
  static var user: String {
    let name = NSUserName()
    return name.isEmpty ? "uid \(geteuid())" : name
  }
}
