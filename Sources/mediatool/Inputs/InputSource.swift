internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// All inputs, one after another: those on the command line, then those in the list, folders walked where they stand.
struct InputSource: ~Copyable {
  /// What walks have passed over so far.
  private(set) var leftOut = PassedOver()
  private let includesHidden: Bool
  private let outputFolder: FileIdentity?
  private var names: OutputNames?
  private var arguments: ArraySlice<PathBytes>
  private var list: PathList?
  private var walk: FolderWalk?
  /// The folder that the walk is in, and its path from the root.
  private var folder = PathBytes("")
  private var folders: [UInt8] = []

  /// - Parameter outputFolder: Where outputs are written, for a verb that writes some: every input then gets a name there.
  init(_ options: InputOptions, outputFolder: FileIdentity? = nil, stop: StopSignal) throws(Fault) {
    includesHidden = options.hidden
    self.outputFolder = outputFolder
    names = outputFolder.map { _ in OutputNames() }
    arguments = options.files[...]
    if let outputFolder {
      for path in options.files where FileIdentity(ofFolder: path) == outputFolder { throw Self.refusal(of: path) }
    }
    if let path = options.filesFrom {
      list = try PathList(path, nulSeparated: options.null, stop: stop)
    }
  }

  /// The inputs of one argument alone, for a verb that has something between them.
  init(_ argument: PathBytes, of options: InputOptions) {
    includesHidden = options.hidden
    outputFolder = nil
    arguments = [argument]
  }

  /// The inputs of the list alone; nil where there is none.
  init?(listOf options: InputOptions, stop: StopSignal) throws(Fault) {
    guard let path = options.filesFrom else { return nil }
    includesHidden = options.hidden
    outputFolder = nil
    arguments = []
    list = try PathList(path, nulSeparated: options.null, stop: stop)
  }

  /// The next input; nil when there is none left.
  mutating func next() throws(Fault) -> Input? {
    guard var input = try nextUnnamed() else { return nil }
    if names != nil {
      input.outputName = names?.claim(file: input.name, in: input.folders) ?? ""
    }
    return input
  }

  private mutating func nextUnnamed() throws(Fault) -> Input? {
    while true {
      if let input = nextWalked() { return input }
      if let walk { leftOut += walk.passedOver }
      walk = nil

      if let argument = arguments.popFirst() {
        if argument.isStandardInput { return Input(path: argument, content: .standardInput) }
        if let input = try enter(argument) { return input }
      } else if let entry = try list?.next() {
        switch entry {
        case .path(let path): if let input = try enter(path) { return input }
        case .tooLong(let path):
          return Input(path: path, content: .failed(MediaFailure(.notFound, "The line is too long for a path.")))
        }
      } else {
        return nil
      }
    }
  }

  /// The next file of the walk, or what cannot be walked; nil at its end.
  private mutating func nextWalked() -> Input? {
    while let event = walk?.next() {
      switch event {
      case .entered(let entered):
        folder = PathBytes(entered.path)
        folders = walk?.pathFromRoot(entered.path) ?? []
      case .file(let file): return Input(path: folder.appending(file.name), content: .file, folders: folders)
      case .problem(let problem):
        let below = PathBytes(walk?.pathFromRoot(problem.path) ?? [])
        return Input(
          path: PathBytes(problem.path), content: .failed(problem.failure),
          folders: (problem.isFolder ? below : below.folder).bytes)
      case .filesEnded: continue
      }
    }
    return nil
  }

  /// The file at `path`; nil for a folder, which is walked from here on.
  private mutating func enter(_ path: PathBytes) throws(Fault) -> Input? {
    if path.hasNUL {
      // The system would take the path to end there, and open another file.
      return Input(
        path: path, content: .failed(MediaFailure(.notFound, "Path contains a NUL byte; did you mean --null?")))
    }
    guard let folder = FileIdentity(ofFolder: path) else { return Input(path: path, content: .file) }
    if folder == outputFolder { throw Self.refusal(of: path) }
    // The rules of `scan`, and in its order; but nothing is kept of a link here, so that one to a file in the folder is that file
    // (docs/decisions/0099).
    var filter = WalkFilter()
    filter.hidden = includesHidden
    filter.links = .followedToFiles
    filter.closed = Set([outputFolder].compactMap { $0 })
    walk = FolderWalk(root: path, filter: filter)
    return nil
  }

  private static func refusal(of path: PathBytes) -> Fault {
    Fault(.usage, "\(DisplayText.visible(path)) is both input and output folder; name another folder with --output")
  }
}
