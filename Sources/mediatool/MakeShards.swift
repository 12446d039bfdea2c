internal import ArgumentParser
internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// `mediatool batch`: makes the facts and images of a list as a shard, and lists shards.
struct MakeShards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Probe and thumbnail the files of a list and write the results as one WebDataset shard, or list shards.",
    discussion: """
      A shard is the unit of work of batch systems such as Slurm or Spark: a list of some 10,000 files goes in, three files come out. For \
      lists/00017.ndjson these are 00017.tar (images, with the facts of each as JSON), 00017.ndjson (one result per line of the list, \
      in order) and, written last, 00017.stats.json (counts, duration, versions, and the digests of list, options and files). A shard is \
      done if its .stats.json is there and its digests and sizes match. Then the command prints the statistics and does nothing else. \
      Otherwise it makes the shard from the beginning; equal inputs give equal bytes. It is safe to kill the command, or to run it twice at once.

      With --output s3://BUCKET/PREFIX the files are objects, sent in parts of 8 MiB while they are made; none appears before it is complete. A \
      run that is killed may leave hidden parts that cost storage: give the bucket a lifecycle rule that aborts incomplete multipart \
      uploads after a day. The options for S3 sources also apply to the output.

      A list has the format of `probe --requests`: file names, URLs or JSON requests, one per line. Each line has one result; folders are not walked.

      In the tar file a sample has the key NAME-000000001, with the number of its line: KEY.json, KEY.grid.webp and so on. The names of sources are \
      only in the JSON. The sample of a file without images, failed or not, is __failed__/KEY.json, which WebDataset readers skip.

      --tar-from reads the files from a tar file. With --tar - the tar file is written to standard output, and its last member is \
      __stats__/NAME.json; if it is missing, the stream was cut short.

      --status lists the shards of a folder: done, failing (done, and some files failed), changed (the files or the list no longer match the \
      statistics) or missing (no shard exists for a list given with --list). --retry CODE prints those lines of the lists whose file failed with \
      this code, as a list to try again; without --list, it reads the lists that the shards were made from.

      EXAMPLES
        mediatool batch --list lists/00017.ndjson -o shards --size grid --size view
        mediatool batch --list lists/00017.ndjson -o s3://bucket/shards
        mediatool batch --status shards --list 17.ndjson --list 18.ndjson
        mediatool batch --status shards --retry timedOut >again.ndjson
        tar -c Photos | mediatool batch --tar-from - --tar - --name p >p.tar

      EXIT STATUS
        0    the shard is done, even if files in it failed; with --status, all
             shards are done
        1    with --status, shards are missing or changed; with --retry, a list is
             missing, or is not the one that the shard was made from
        64   the command line is invalid, or a list cannot be opened
        70   the shard cannot be written, a list or tar file cannot be read, or no
             worker can be started
        130  interrupted by Ctrl-C or SIGTERM; the shard is not done
      """)

  @Option(
    help: ArgumentHelp(
      "Make the shard of this list of file names or requests; - reads it from standard input and needs --tar -. With --status, repeatable.",
      valueName: "list"),
    completion: .file())
  var list: [PathBytes] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the files of the shard to this folder, which is created if missing, or to s3://BUCKET/PREFIX.",
      valueName: "dir"),
    completion: .directory)
  var output: PathBytes?

  @Option(help: ArgumentHelp("Write the tar file to standard output; takes only -.", valueName: "-"))
  var tar: String?

  @Option(
    help: ArgumentHelp("Make the shard of the files in this tar file; - reads standard input.", valueName: "file"),
    completion: .file())
  var tarFrom: PathBytes?

  @Option(
    help: ArgumentHelp(
      "The name of the shard. (default: the name of the list or tar file without its extension)", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp("List the shards in this folder or below s3://BUCKET/PREFIX.", valueName: "dir"),
    completion: .directory)
  var status: PathBytes?

  @Flag(help: "With --status, also verify the digests; reads every file.")
  var check = false

  @Option(
    help: ArgumentHelp(
      "With --status, print the lines of the lists whose files failed with this code, such as timedOut. Repeatable.",
      valueName: "code"))
  var retry: [String] = []

  @OptionGroup var requests: RequestOptions

  @Flag(help: "Add the SHA-256 of each file; reads the whole file.")
  var digest = false

  @Option(
    help: ArgumentHelp(
      "Fail a file with timedOut after this many seconds. (default: 10; 15 for a video)", valueName: "seconds"),
    transform: Seconds.parse)
  var deadline: Seconds?

  @OptionGroup var remote: RemoteOptions
  @OptionGroup var running: RunOptions

  func validate() throws {
    try OutputFolder.checkName(output)
    if let output, !ShardBucket.isNamed(by: output),
      output.text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
    {
      throw ValidationError(
        "--output takes a folder or s3://BUCKET/PREFIX; shards cannot be written to \(DisplayText.visible(output)).")
    }
    if let tar, tar != "-" {
      throw ValidationError("--tar takes only - (standard output); to write tar files to a folder, use --output.")
    }
    if let name, ShardName(name) == nil {
      throw ValidationError(
        """
        --name takes the beginning of a file name: at most \(ShardName.longest) bytes, without slashes, not beginning with \
        a dot.
        """)
    }
    if status != nil { return try validateStatus() }
    if check || !retry.isEmpty { throw ValidationError("--check and --retry need --status.") }
    guard list.count + (tarFrom == nil ? 0 : 1) == 1 else {
      throw ValidationError("Name one list with --list, or one tar file with --tar-from, or a folder with --status.")
    }
    guard (output == nil) != (tar == nil) else {
      throw ValidationError("Name a folder with --output, or --tar - for standard output.")
    }
    if tar != nil, Terminal.isTerminal(1) {
      throw ValidationError("--tar - does not write binary data to a terminal; redirect standard output.")
    }
    let source = list.first ?? tarFrom
    if source?.isStandardInput == true {
      if tar == nil {
        throw ValidationError("Standard input needs --tar -; with --output, name a file with --list or --tar-from.")
      }
      if name == nil { throw ValidationError("Standard input needs --name.") }
    } else if name == nil, let source, ShardName(list: source) == nil {
      throw ValidationError("\(DisplayText.visible(source)) does not give a valid shard name; add --name.")
    }
  }

  private func validateStatus() throws {
    if output != nil || tar != nil || tarFrom != nil || name != nil {
      throw ValidationError("--status takes --list, --check and --retry only.")
    }
    for path in list where path.isStandardInput { throw ValidationError("--list - cannot be combined with --status.") }
    for code in retry where !code.utf8.allSatisfy({ $0 >= 0x30 && $0 < 0x7F }) || code.isEmpty {
      throw ValidationError("--retry takes a failure code, such as timedOut.")
    }
  }

  func run() throws {
    if let status {
      let isBucket = ShardBucket.isNamed(by: status)
      if isBucket { try remote.prepare(isNamed: true, hasList: false, running) }
      let store: any ShardStore = if isBucket { try ShardBucket(path: status) } else { ShardFolder(path: status) }
      do {
        return try ShardListing(store: store, lists: list, reads: check).run(
          retry: Set(retry), showsTable: running.showsTable)
      } catch is ResultWriter.Closed {
        Batch.endLikeAnyOtherWriter()
      }
    }
    guard let source = list.first ?? tarFrom, let shard = name.flatMap(ShardName.init) ?? ShardName(list: source) else {
      return
    }
    try remote.prepare(
      isNamed: output.map(ShardBucket.isNamed) ?? false, hasList: tarFrom == nil, running,
      deadline: deadline)
    let batch = try Batch(running)
    let run = ShardRun(
      shard: shard, source: source, isArchive: tarFrom != nil, request: request, options: requests,
      sources: remote.words + (running.inProcess ? ["in-process"] : []), batch: batch)
    do {
      if let output { try run.write(to: output) } else { try run.stream() }
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }

  private var request: MediaPreview.Request {
    var request = MediaPreview.Request(renditions: requests.requests)
    request.probe.digest = digest
    if let deadline {
      request.probe.limits.probeSeconds = deadline.value
      request.thumbnails.limits.renderSeconds = deadline.value
      request.thumbnails.limits.posterSeconds = deadline.value
    }
    return request
  }
}
