internal import ArgumentParser
internal import Crypto
internal import FileSupport
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// Makes one shard.
struct ShardRun {
  let shard: ShardName
  /// The list, or the tar file of inputs.
  let source: PathBytes
  let isArchive: Bool
  let request: MediaPreview.Request
  let options: RequestOptions
  /// The options that decide which sources can be read.
  let sources: [String]
  let batch: Batch

  /// Writes the files of the shard, unless it is done.
  func write(to output: PathBytes) throws {
    let began = ContinuousClock.now
    let listed = try digestOfSource()
    let (store, outputs) = try prepare(output)
    do { try write(to: store, outputs, list: listed, since: began) } catch let error as FileError {
      throw Fault(.software, "cannot write the shard in \(store.shown): \(error.reason)")
    } catch let error as MediaFailure {
      if error.code == .cancelled, batch.stop.signal != nil {
        Diagnostics.say("interrupted; the shard is not done")
        throw ExitCode(ExitStatus.interrupted.rawValue)
      }
      throw Fault(.software, "cannot write the shard in \(store.shown): \(error.explanation)")
    }
  }

  /// Where the shard is written, and what it replaces there.
  private func prepare(_ output: PathBytes) throws(Fault) -> (store: any ShardStore, outputs: ShardOutputs) {
    let names = [shard.tar, shard.results, shard.statistics]
    if ShardBucket.isNamed(by: output) {
      let bucket = try ShardBucket(path: output)
      return (bucket, ShardOutputs(objects: Set(names.map(bucket.object))))
    }
    _ = try OutputFolder(output)
    let folder = ShardFolder(path: output)
    // Before an hour of work; writing checks it again.
    try folder.check(names)
    return (folder, ShardOutputs(files: Set(names.compactMap { FileIdentity(ofFileReplacedAt: folder.path(of: $0)) })))
  }

  private func write(
    to store: any ShardStore, _ outputs: ShardOutputs, list listed: ShardStatistics.File,
    since began: ContinuousClock.Instant
  ) throws {
    if outputs.contains(Input(path: source, content: .file)) {
      throw Fault(
        .usage, "the shard would replace \(DisplayText.visible(source)); name another folder with --output")
    }
    let earlier = try store.statistics(of: shard)
    if let done = earlier {
      let isSameList = done.list?.sha256 == listed.sha256
      if isSameList, try done.recipe == recipe, try store.hasFiles(of: shard, done, reads: false) {
        Diagnostics.note("shard \(shard.text) is done")
        return try ResultWriter().write(line: try JSONLine.text(done))
      }
      if let other = done.list?.path, other != source.text, !isSameList {
        let place = "\(store.shown) already has a shard \(DisplayText.visible(shard.text))"
        throw Fault(
          .usage, "\(place), made from the list \(DisplayText.visible(other)); add --name, or name another folder")
      }
    } else if let file = try store.foreignFile(in: shard) {
      throw Fault(
        .usage,
        "\(store.shown(file)) already exists and does not belong to this shard; add --name, or name another folder")
    }

    let engine = try startEngine()
    var writer = try ShardWriter(shard, in: store)
    do {
      try each(engine, except: outputs) { sample in try writer.append(sample) }
      guard try digestOfSource().sha256 == listed.sha256 else {
        throw Fault(.software, "\(DisplayText.visible(source)) changed while it was read, so the shard is not done")
      }
      let statistics = try writer.commit { counts, tar, results in
        try described(counts, since: began, of: engine, list: listed, tar: tar, results: results)
      }
      report(statistics)
      try ResultWriter().write(line: try JSONLine.text(statistics))
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// Writes the tar file to standard output.
  func stream() throws {
    let began = ContinuousClock.now
    let engine = try startEngine()
    let writer = ResultWriter()
    var (hash, bytes, counts) = (SHA256(), 0, ShardCounts())
    try each(engine, except: ShardOutputs()) { sample in
      let members = sample.members
      hash.update(data: members)
      bytes += members.count
      counts.count(sample)
      try writer.write(members)
    }
    let tar = ShardStatistics.File(bytes: bytes, sha256: Hexadecimal.encode(hash.finalize()))
    let statistics = try described(counts, since: began, of: engine, list: nil, tar: tar, results: nil)
    report(statistics)
    let line = Array((try JSONLine.text(statistics) + "\n").utf8)
    try writer.write(TarWriter.member(shard.statisticsMember, line) + TarWriter.end)
  }

  /// Processes all inputs, and delivers their samples in order.
  /// - Parameter outputs: The files that the shard replaces, which are no inputs.
  private func each(
    _ engine: MediaEngine, except outputs: ShardOutputs, deliver: (ShardJob.Sample) throws -> Void
  ) throws {
    let job = ShardJob(
      shard: shard, request: request, engine: engine, outputs: outputs,
      renditions: { [options] sizes in options.requests(of: sizes) })
    var progress = Progress(isShown: Terminal.isTerminal(2))
    var (done, failed) = (0, 0)
    defer { progress.end() }
    let stop = batch.stop
    let monitor = RunMonitor(
      Batch.Stream(endsWithParent: source.isStandardInput && StandardInput.isPipe), stop: stop)
    // The members of a tar file are in memory until they are delivered: few are read ahead.
    let jobs = batch.options.workers
    try OrderedWorkers(jobs: jobs, window: isArchive ? jobs + 1 : nil).run(
      stop: stop, next: try inputs(),
      work: { input in Result { () throws(Fault) in try job.sample(of: input, stop: stop) } }
    ) { input, sample in
      let sample = try sample.get()
      try deliver(sample)
      done += 1
      failed += sample.record.error == nil ? 0 : 1
      monitor.count(done: done, failed: failed)
      if let failure = sample.record.error, Diagnostics.namesFailures {
        progress.end()
        Diagnostics.fail(input.input.path, failure)
      }
      progress.count(failed: sample.record.error != nil, path: input.input.path)
    }
    progress.end()
    guard stop.signal != nil else { return }
    Diagnostics.say("interrupted after \(RefusalSentence.counted(done, "file")); the shard is not done")
    throw ExitCode(ExitStatus.interrupted.rawValue)
  }

  private func inputs() throws(Fault) -> @Sendable () throws -> ShardInput? {
    if isArchive {
      let members = Locked(try ArchivedInputs(source, limit: request.probe.limits.bytes, stop: batch.stop))
      return { try members.withLock { members throws(Fault) in try members.next() } }
    }
    let lines = Locked(try ListedInputs(source, stop: batch.stop))
    return { try lines.withLock { lines throws(Fault) in try lines.next() } }
  }

  private func startEngine() throws(Fault) -> MediaEngine {
    try Decoders.engine(
      running: batch.options.workers, startsAhead: true,
      allowsWeakerIsolation: batch.options.isolation.allowWeakerIsolation)
  }

  private func digestOfSource() throws(Fault) -> ShardStatistics.File {
    do throws(FileError) {
      var file = try ShardFolder.file(source)
      file.path = source.text
      return file
    } catch {
      let reason = error.isNotAFile ? "it is not a regular file" : error.description
      throw Fault(.usage, "cannot open the list \(DisplayText.visible(source)): \(reason)")
    }
  }

  private var recipe: ShardStatistics.Recipe {
    get throws {
      /// Everything on which the bytes of a shard depend, besides the files.
      struct Rules: Encodable {
        var renditions: [RenditionRequest]
        var thumbnails: ThumbnailOptions
        var digest: Bool
        /// Which sources can be read.
        var sources: [String]
        var revision: Int
        var format = 1
      }
      let rules = Rules(
        renditions: request.renditions, thumbnails: request.thumbnails, digest: request.probe.digest, sources: sources,
        revision: RenditionRevision.current)
      let digest = SHA256.hash(data: Array(try JSONLine.text(rules).utf8))
      return ShardStatistics.Recipe(sha256: Hexadecimal.encode(digest), sizes: request.renditions.map(\.name))
    }
  }

  private func described(
    _ counts: ShardCounts, since began: ContinuousClock.Instant, of engine: MediaEngine, list: ShardStatistics.File?,
    tar: ShardStatistics.File, results: ShardStatistics.File?
  ) throws -> ShardStatistics {
    var statistics = ShardStatistics(
      shard: shard.text, inputs: counts.inputs, failed: counts.failed, codes: counts.codes, images: counts.images,
      seconds: Double(began.duration(to: .now) / .milliseconds(1)).rounded() / 1_000, list: list, recipe: try recipe,
      tar: tar, results: results, versions: .init(mediatool: Version.project, engine: engine.version))
    (statistics.bytesRead, statistics.requests) = (counts.fetched?.bytes, counts.fetched?.requests)
    return statistics
  }

  private func report(_ statistics: ShardStatistics) {
    Diagnostics.explain("\(RefusalSentence.counted(statistics.inputs, "file")), \(statistics.failed) failed")
  }
}
