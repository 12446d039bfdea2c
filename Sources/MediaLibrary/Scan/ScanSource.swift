package import FileSupport
internal import MediaModel

/// Walks the folders of a scan, compares them with what is known, and says what is to be done. One code path for a first scan, a rescan, a
/// retry and a watch.
///
/// A folder whose fingerprint is the known one costs its listing and a look at each file in it. Of any other the files are compared some hundred
/// at a time. Holds no more than one folder's names and one such batch.
package struct ScanSource {
  /// What is the same for all parts of a scan.
  package struct Settings: Sendable {
    package var filter = WalkFilter()
    package var staysOnFileSystem = false
    package var recipe = ScanRecipe()
    package var retry = RetryRule()
    /// Folders that are compared one by one even if nothing changed in them.
    package var compared: Set<PathBytes> = []
    /// Whether the paths of unchanged files are wanted.
    package var namesUnchanged = false
    /// Whether what has gone meanwhile is no problem: the folder above it is scanned as well.
    package var passesMissing = false
    /// Files that are not looked at now: somebody still writes to them.
    package var isBusy: (@Sendable (PathBytes) -> Bool)?
    /// Called with each folder before its names are read.
    package var willRead: (@Sendable (_ path: [UInt8], _ folder: FolderHandle) -> Void)?

    package init() {}
  }

  /// A folder with what of it is scanned.
  package struct Part: Sendable {
    package let root: PathBytes
    package let part: FolderWalk.Part

    package init(root: PathBytes, part: FolderWalk.Part = .all) { (self.root, self.part) = (root, part) }
  }

  /// Files compared in one go.
  static let batch = 256

  /// What was passed over so far.
  package private(set) var passedOver = PassedOver()
  /// Files that were looked into already, for a scan that keeps nothing.
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
  /// Files that are elsewhere now, although the catalogue may not know yet.
  var moved: Set<FileID> = []
  /// Rows that go to another file, which has taken their path.
  var replaced: Set<FileID> = []

  /// The folder that is gone through.
  struct Folder {
    let path: PathBytes
    let walked: WalkedFolder
    /// Nil when it cannot be finished this time.
    var fingerprint: UInt64?
    /// Whether nothing in it has to be compared.
    var isUnchanged = false
  }

  /// - Parameter catalogue: What is known; nil for a scan that keeps nothing.
  package init(_ parts: [Part], settings: Settings, catalogue: (any ScanIndex)?) {
    self.parts = parts[...]
    self.settings = settings
    self.catalogue = catalogue
  }

  /// The next step; nil when all has been told.
  package mutating func next() throws(LibraryError) -> ScanStep? {
    while true {
      if nextStep < steps.count {
        defer { nextStep += 1 }
        return steps[nextStep]
      }
      steps.removeAll(keepingCapacity: true)
      nextStep = 0
      guard let event = walk?.next() else {
        if let walk { passedOver += walk.passedOver }
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

  private mutating func take(_ event: WalkEvent) throws(LibraryError) {
    switch event {
    case .problem(let problem):
      try compare()
      if settings.passesMissing, problem.failure.code == .notFound { return }
      tell(.problem(problem))
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

  /// Puts a step behind those that are there.
  mutating func tell(_ step: ScanStep) {
    if unchanged.count > 0 {
      steps.append(.unchanged(unchanged))
      unchanged = UnchangedFiles()
    }
    steps.append(step)
  }

  /// Counts a file that is as it was.
  mutating func keep(_ path: PathBytes, bytes: Int) {
    unchanged.add(bytes: bytes)
    if settings.namesUnchanged { unchanged.paths.append(path) }
    if unchanged.count == Self.batch {
      steps.append(.unchanged(unchanged))
      unchanged = UnchangedFiles()
    }
  }

  private mutating func enter(_ walked: WalkedFolder) throws(LibraryError) {
    var folder = Folder(path: PathBytes(walked.path), walked: walked)
    defer { self.folder = folder }
    guard let catalogue, let walk else { return }
    // The same files twice: once for their fingerprint alone, so that a folder of any number is known to be unchanged without keeping them.
    var scout = walk
    var fingerprint = FolderFingerprint(recipe: settings.recipe)
    var (files, problems) = (UnchangedFiles(), [WalkProblem]())
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
    guard !settings.compared.contains(folder.path),
      try catalogue.knownFolder(folder.path)?.fingerprint == fingerprint.value
    else { return }
    folder.isUnchanged = true
    if settings.namesUnchanged || settings.isBusy != nil { return }
    self.walk = scout
    for problem in problems { tell(.problem(problem)) }
    unchanged.add(files.count, bytes: files.bytes)
    steps.append(.unchanged(unchanged))
    unchanged = UnchangedFiles()
    // The walk has told that its files have ended.
    folder.fingerprint = nil
  }

  private mutating func leave(_ folder: Folder) throws(LibraryError) {
    if let catalogue, !folder.isUnchanged, folder.walked.isComplete {
      try tellVanishedFiles(of: folder, in: catalogue)
      try tellVanishedFolders(of: folder, in: catalogue)
      if let fingerprint = folder.fingerprint { tell(.folderDone(folder.path, fingerprint: fingerprint)) }
    }
    if unchanged.count > 0 {
      steps.append(.unchanged(unchanged))
      unchanged = UnchangedFiles()
    }
  }

  /// Compares the files that were gathered with what is known of them.
  private mutating func compare() throws(LibraryError) {
    guard !batch.isEmpty, let folder else { return }
    defer { batch.removeAll(keepingCapacity: true) }
    guard let catalogue else {
      for stamp in batch where !omitted.contains(stamp) {
        tell(.examine(ScanTarget(stamp: stamp, folder: folder.walked.handle, reason: .new)))
      }
      return
    }
    let standings = try catalogue.standings(of: batch)
    for (stamp, standing) in zip(batch, standings) { evaluator(stamp, standing, in: folder) }
  }
}
