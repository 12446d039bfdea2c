internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// All inputs in order: those on the command line, then those in the list; each folder is replaced by its files.
struct InputSource: ~Copyable {
  /// The entries that walks have skipped so far.
  private(set) var skipped = FolderWalk.Skipped()
  private let includesHidden: Bool
  /// Whether the command reads URLs.
  private let takesRemote: Bool
  private let outputFolder: FileIdentity?
  private var names: OutputNames?
  private var arguments: ArraySlice<PathBytes>
  private var list: PathList?
  /// The name of a list whose lines may be requests in JSON; nil for a list of names.
  private var requestList: String?
  private var walk: FolderWalk?
  /// The current folder of the walk, and its path from the root.
  private var folder = PathBytes("")
  private var folders: [UInt8] = []

  /// - Parameters:
  ///   - requests: A list of requests, besides the files that `options` names.
  ///   - outputFolder: Where outputs are written, for a command that has a folder for them: it is not walked.
  ///   - named: Whether every input gets a name for its outputs.
  ///   - takesRemote: Whether the command reads URLs.
  init(
    _ options: InputOptions, requests: PathBytes? = nil, outputFolder: FileIdentity? = nil, named: Bool = false,
    takesRemote: Bool = false, stop: StopSignal
  ) throws(Fault) {
    includesHidden = options.hidden
    self.takesRemote = takesRemote
    self.outputFolder = outputFolder
    names = named ? OutputNames() : nil
    arguments = options.files[...]
    if let outputFolder {
      for path in options.files where FileIdentity(ofFolder: path) == outputFolder { throw Self.refusal(of: path) }
    }
    if let path = options.filesFrom {
      list = try PathList(path, nulSeparated: options.null, stop: stop)
    }
    if let requests {
      list = try PathList(requests, what: "list of requests", nulSeparated: false, hasRequests: true, stop: stop)
      requestList = DisplayText.visible(requests)
    }
  }

  /// The inputs of one argument, for a command that treats arguments separately.
  init(_ argument: PathBytes, of options: InputOptions) {
    includesHidden = options.hidden
    takesRemote = false
    outputFolder = nil
    arguments = [argument]
  }

  /// The inputs of the list; nil if there is none.
  init?(listOf options: InputOptions, stop: StopSignal) throws(Fault) {
    guard let path = options.filesFrom else { return nil }
    includesHidden = options.hidden
    takesRemote = false
    outputFolder = nil
    arguments = []
    list = try PathList(path, nulSeparated: options.null, stop: stop)
  }

  /// The inputs of a list of names, or of a list of requests, alone, without names for outputs.
  init(
    list path: PathBytes?, nulSeparated: Bool, requests: PathBytes?, includesHidden: Bool, stop: StopSignal
  ) throws(Fault) {
    self.includesHidden = includesHidden
    takesRemote = false
    outputFolder = nil
    arguments = []
    if let path {
      list = try PathList(path, nulSeparated: nulSeparated, stop: stop)
    }
    if let requests {
      list = try PathList(requests, what: "list of requests", nulSeparated: false, hasRequests: true, stop: stop)
      requestList = DisplayText.visible(requests)
    }
  }

  /// The next input; nil at the end.
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
      if let walk { skipped += walk.skipped }
      walk = nil

      if let argument = arguments.popFirst() {
        if argument.isStandardInput { return Input(path: argument, content: .standardInput) }
        if let input = try enter(argument) { return input }
      } else if let entry = try list?.next() {
        if let requestList, let request = request(of: entry, in: requestList) { return request }
        switch entry {
        case .path(let path, _):
          if let problem = path.listProblem { return Input(path: path, content: .failed(problem)) }
          // A line of requests has one result.
          if let input = try enter(path, walks: requestList == nil) { return input }
        case .tooLong(let path, _):
          return Input(
            path: path,
            content: .failed(
              MediaFailure(
                .notFound,
                "The line has more than \(PathList.longest.grouped) bytes; do the names end in NUL bytes (--null)?")))
        }
      } else {
        return nil
      }
    }
  }

  /// The request of a line; nil for a line that is a name.
  private func request(of entry: PathList.Entry, in list: String) -> Input? {
    switch entry {
    case .path(let text, let line):
      return entry.isRequest ? FileRequest(json: text.bytes, line: line).input(in: list) : nil
    case .tooLong(let beginning, let line):
      return FileRequest(tooLong: line, beginning: beginning.bytes, isJSON: entry.isRequest).input(in: list)
    }
  }

  /// The next file of the walk, or the failure of a folder; nil at its end.
  private mutating func nextWalked() -> Input? {
    while let event = walk?.next() {
      switch event {
      case .entered(let entered):
        folder = PathBytes(entered.path)
        folders = walk?.pathFromRoot(entered.path) ?? []
      case .file(let file):
        return Input(path: folder.appending(file.name), content: .file, folders: folders, isWalked: true)
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

  /// The file at `path`; nil for a folder, which is walked from now on. If folders are not walked, one is a file that cannot be read.
  private mutating func enter(_ path: PathBytes, walks: Bool = true) throws(Fault) -> Input? {
    if path.hasNUL {
      // The system would end the path there and open another file.
      return Input(
        path: path, content: .failed(MediaFailure(.notFound, "The path contains a NUL byte; did you mean --null?")))
    }
    if takesRemote, RemoteName.isRemote(path) { return RemoteName.input(path) }
    guard walks, let folder = FileIdentity(ofFolder: path) else { return Input(path: path, content: .file) }
    if folder == outputFolder { throw Self.refusal(of: path) }
    // Walks as `scan` does, in the same order. But links are not stored here, so a link to a file in the folder counts as that file
    // (docs/decisions/0099).
    var filter = FolderWalk.Filter()
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
