package import FileSupport
internal import MediaModel

/// Walks the folders of a scan, compares them with the catalogue, and returns the steps to take. First scans, rescans, retries and watches use the
/// same code.
///
/// A folder with a known fingerprint costs its listing and the status of each file. The files of other folders are compared in batches. Memory
/// holds the names of one folder and one batch.
package struct ScanSource {
  /// The settings for all parts of a scan.
  package struct Settings: Sendable {
    package var filter = FolderWalk.Filter()
    package var staysOnFileSystem = false
    package var recipe = ScanRecipe()
    package var retry = RetryRule()
    /// Folders whose files are compared even if the fingerprint is unchanged.
    package var compared: Set<PathBytes> = []
    /// Whether to return the paths of unchanged files.
    package var namesUnchanged = false
    /// Whether files that look unchanged are read again.
    package var rechecks = false
    /// Whether a part that has vanished is not a problem, because the folder above it is scanned too.
    package var passesMissing = false
    /// Files to skip for now, because a process is writing to them.
    package var isBusy: (@Sendable (PathBytes) -> Bool)?
    /// Called with each folder before its names are read.
    package var willRead: (@Sendable (_ path: [UInt8], _ folder: FolderHandle) -> Void)?

    package init() {}
  }

  /// A folder, with the part of it to scan.
  package struct Part: Sendable {
    package let root: PathBytes
    package let part: FolderWalk.Part

    package init(root: PathBytes, part: FolderWalk.Part = .all) { (self.root, self.part) = (root, part) }
  }

  /// Number of files compared in one batch.
  static let batch = 256

  /// The entries skipped so far.
  package private(set) var skipped = FolderWalk.Skipped()
  /// Files that were already examined, for a scan without a library.
  package var omitted: Set<FileStamp> = []

  let settings: Settings
  let catalogue: (any ScanIndex)?
  private var parts: ArraySlice<Part>
  private var walk: FolderWalk?
  private var steps: [ScanStep] = []
  private var nextStep = 0
  private var folder: Folder?
  private var batch: [FileStamp] = []
  var unchanged = UnchangedFiles()
  /// Files found at another path that the catalogue may not have recorded yet.
  var moved: Set<FileID> = []
  /// Rows that will belong to another file, which has taken their path.
  var replaced: Set<FileID> = []

  /// The folder that is being walked.
  struct Folder {
    let path: PathBytes
    let walked: FolderWalk.Folder
    /// Nil if the folder cannot be completed this time.
    var fingerprint: UInt64?
    /// Whether the fingerprint is unchanged, so that nothing has to be compared.
    var isUnchanged = false
  }

  /// - Parameter catalogue: nil for a scan without a library.
  package init(_ parts: [Part], settings: Settings, catalogue: (any ScanIndex)?) {
    self.parts = parts[...]
    self.settings = settings
    self.catalogue = catalogue
  }

  /// The next step; nil at the end.
  package mutating func next() throws(LibraryError) -> ScanStep? {
    while true {
      if nextStep < steps.count {
        defer { nextStep += 1 }
        return steps[nextStep]
      }
      steps.removeAll(keepingCapacity: true)
      nextStep = 0
      guard let event = walk?.next() else {
        if let walk { skipped += walk.skipped }
        walk = nil
        guard let part = parts.popFirst() else { return nil }
        walk = FolderWalk(
          root: part.root.bytes, part: part.part, filter: settings.filter,
          staysOnFileSystem: settings.staysOnFileSystem, willRead: settings.willRead)
        continue
      }
      try take(event)
    }
  }

  private mutating func take(_ event: FolderWalk.Event) throws(LibraryError) {
    switch event {
    case .problem(let problem):
      try compare()
      if settings.passesMissing, problem.failure.code == .notFound { return }
      append(.problem(problem))
    case .entered(let walked): try enter(walked)
    case .file(let file):
      guard let folder else { return }
      let path = folder.path.appending(file.name)
      if settings.isBusy?(path) == true {
        self.folder?.fingerprint = nil
        return
      }
      if folder.isUnchanged { return keep(path, bytes: file.status.bytes) }
      batch.append(FileStamp(path: path, status: file.status))
      if batch.count == Self.batch { try compare() }
    case .filesEnded:
      try compare()
      if let folder { try leave(folder) }
      folder = nil
    }
  }

  /// Appends a step, after those for the unchanged files that were counted before it.
  mutating func append(_ step: ScanStep) {
    if unchanged.count > 0 {
      steps.append(.unchanged(unchanged))
      unchanged = UnchangedFiles()
    }
    steps.append(step)
  }

  /// Counts an unchanged file.
  mutating func keep(_ path: PathBytes, bytes: Int) {
    unchanged.add(bytes: bytes)
    if settings.namesUnchanged { unchanged.paths.append(path) }
    if unchanged.count == Self.batch {
      steps.append(.unchanged(unchanged))
      unchanged = UnchangedFiles()
    }
  }

  private mutating func enter(_ walked: FolderWalk.Folder) throws(LibraryError) {
    var folder = Folder(path: PathBytes(walked.path), walked: walked)
    defer { self.folder = folder }
    guard let catalogue, let walk else { return }
    // Reads the files twice, first for the fingerprint alone, so that an unchanged folder of any size needs no memory for its files.
    var scout = walk
    var fingerprint = FolderFingerprint(recipe: settings.recipe)
    var (files, problems) = (UnchangedFiles(), [FolderWalk.Problem]())
    walked.eachFolder { fingerprint.add(folder: $0) }
    scouting: while let event = scout.next() {
      switch event {
      case .file(let file):
        fingerprint.add(file)
        files.add(bytes: file.status.bytes)
      case .problem(let problem): problems.append(problem)
      case .filesEnded, .entered: break scouting
      }
    }
    guard walked.isComplete else { return }
    folder.fingerprint = fingerprint.value
    guard !settings.rechecks, !settings.compared.contains(folder.path),
      try catalogue.knownFolder(folder.path)?.fingerprint == fingerprint.value
    else { return }
    folder.isUnchanged = true
    if settings.namesUnchanged || settings.isBusy != nil { return }
    self.walk = scout
    for problem in problems { append(.problem(problem)) }
    unchanged.add(files.count, bytes: files.bytes)
    steps.append(.unchanged(unchanged))
    unchanged = UnchangedFiles()
    // The walk has reported the end of the files.
    folder.fingerprint = nil
  }

  private mutating func leave(_ folder: Folder) throws(LibraryError) {
    if let catalogue, !folder.isUnchanged, folder.walked.isComplete {
      try reportVanishedFiles(of: folder, in: catalogue)
      try reportVanishedFolders(of: folder, in: catalogue)
      if let fingerprint = folder.fingerprint { append(.folderDone(folder.path, fingerprint: fingerprint)) }
    }
    if unchanged.count > 0 {
      steps.append(.unchanged(unchanged))
      unchanged = UnchangedFiles()
    }
  }

  /// Compares the batch of files with the catalogue.
  private mutating func compare() throws(LibraryError) {
    guard !batch.isEmpty, let folder else { return }
    defer { batch.removeAll(keepingCapacity: true) }
    guard let catalogue else {
      for stamp in batch where !omitted.contains(stamp) {
        append(.examine(ScanTarget(stamp: stamp, folder: folder.walked.handle, reason: .new)))
      }
      return
    }
    let standings = try catalogue.standings(of: batch)
    for (stamp, standing) in zip(batch, standings) { decide(stamp, standing, in: folder) }
  }
}
