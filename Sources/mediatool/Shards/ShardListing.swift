internal import ArgumentParser
internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// `batch --status`: the shards of a folder, and the lines of their lists that are worth another run.
///
/// The folder or bucket is listed once, and the statistics of some shards are read at once. Only those are in memory, besides the names.
struct ShardListing: Sendable {
  /// What `batch --status` reports of a shard.
  enum State: String, Encodable {
    case done
    /// Done, and some files failed.
    case failing
    /// Its files or its list are not those of its statistics.
    case changed
    /// It has a list and no statistics.
    case missing
  }

  /// A line of the output.
  struct Record: Encodable {
    var shard: String
    var state: State
    var inputs: Int?
    var failed: Int?
    var codes: [String: Int]?
    var seconds: Double?
    /// Fetched of remote sources; absent without any.
    var bytesRead: Int?
    var requests: Int?
  }

  /// The last line.
  struct Summary: Encodable {
    struct Counts: Encodable {
      var shards = 0
      var done = 0
      var failing = 0
      var changed = 0
      var missing = 0
      var inputs = 0
      var failed = 0
      var codes: [String: Int] = [:]
      var bytesRead: Int?
      var requests: Int?
    }

    var end = Counts()
  }

  let store: any ShardStore
  let lists: [PathBytes]
  /// Whether the files are read and their digests compared.
  let reads: Bool

  func run(retry: Set<String>, showsTable: Bool) throws {
    do { try list(retry: retry, showsTable: showsTable) } catch let error as FileError {
      throw Fault(.software, "cannot read the shards in \(store.shown): \(error.description)")
    } catch let error as MediaFailure {
      throw Fault(.software, "cannot read the shards in \(store.shown): \(error.explanation)")
    }
  }

  /// A shard of the listing or of a list, before anything of it is read.
  struct Found: Sendable {
    var shard: ShardName
    /// Nil if no list was named for it.
    var list: PathBytes?
    var hasStatistics = true
  }

  private func list(retry: Set<String>, showsTable: Bool) throws {
    let contents = try store.contents()
    let shards = try shards(contents.statistics)
    guard retry.isEmpty else { return try printLines(of: shards, failedWith: retry) }
    let writer = ResultWriter()
    let table = showsTable ? Self.table : nil
    if let table { try writer.write(line: table.heading) }
    var summary = Summary()
    try read(shards) { found, statistics in
      try record(of: found, statistics, listed: contents.files)
    } body: { _, record in
      summary.count(record)
      try writer.write(lines: try table.map { $0.lines(Self.row(record)) } ?? [JSONLine.text(record)])
    }
    let counts = summary.end
    if showsTable {
      Diagnostics.note(
        "\(RefusalSentence.counted(counts.shards, "shard")), \(counts.missing) missing, \(counts.changed) changed; "
          + "\(RefusalSentence.counted(counts.inputs, "file")), \(counts.failed) failed")
    } else {
      try writer.write(line: try JSONLine.text(summary))
    }
    if counts.missing + counts.changed > 0 { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  /// Reads the statistics of shards, some at once, and calls `body` in the order of the shards.
  /// - Parameters:
  ///   - make: Called on many threads at once. The statistics are nil if there are none that can be read.
  ///   - body: Called on the thread of the caller.
  func read<Output: Sendable>(
    _ shards: [Found], make: @escaping @Sendable (Found, ShardStatistics?) throws -> Output,
    body: (Found, Output) throws -> Void
  ) throws {
    let stop = try StopSignal.make()
    let rest = Locked(shards[...])
    try OrderedWorkers(jobs: store.readers).run(stop: stop) {
      rest.withLock { $0.popFirst() }
    } work: { [store] found in
      Result { try make(found, found.hasStatistics ? store.statistics(of: found.shard) : nil) }
    } deliver: { found, made in
      try body(found, made.get())
    }
  }

  /// The shards of the folder and of the lists, by name.
  private func shards(_ statistics: [String]) throws -> [Found] {
    var found: [String: Found] = [:]
    for name in statistics where !name.hasPrefix(".") {
      guard let shard = ShardName(String(name.dropLast(ShardName.statisticsSuffix.count))) else { continue }
      found[shard.text] = Found(shard: shard)
    }
    var named: [String: PathBytes] = [:]
    for list in lists {
      guard let shard = ShardName(list: list) else {
        throw Fault(.usage, "\(DisplayText.visible(list)) does not give a valid shard name")
      }
      if let other = named.updateValue(list, forKey: shard.text), other != list {
        throw Fault(
          .usage,
          "the lists \(DisplayText.visible(other)) and \(DisplayText.visible(list)) have the same shard name; rename one of them"
        )
      }
      found[shard.text] = Found(shard: shard, list: list, hasStatistics: found[shard.text] != nil)
    }
    return found.values.sorted { $0.shard.text < $1.shard.text }
  }

  private func record(
    of found: Found, _ statistics: ShardStatistics?, listed: [String: ShardContents.File]
  ) throws -> Record {
    let shard = found.shard
    guard let statistics else { return Record(shard: shard.text, state: .missing) }
    var state = statistics.failed == 0 ? State.done : .failing
    if try !store.hasFiles(of: shard, statistics, reads: reads, listed: listed) { state = .changed }
    // A list that is named must be the one that the shard was made of. One that is only known from the statistics may be gone.
    if let list = found.list, !isList(list, of: statistics) { state = .changed }
    return Record(
      shard: shard.text, state: state, inputs: statistics.inputs, failed: statistics.failed, codes: statistics.codes,
      seconds: statistics.seconds, bytesRead: statistics.bytesRead, requests: statistics.requests)
  }

  private func isList(_ list: PathBytes?, of statistics: ShardStatistics) -> Bool {
    guard let list, let stated = statistics.list else { return false }
    return (try? ShardFolder.file(list))?.sha256 == stated.sha256
  }

  /// Prints the lines of the lists, unchanged.
  private func printLines(of shards: [Found], failedWith codes: Set<String>) throws {
    let writer = ResultWriter()
    var isWhole = true
    try read(shards) {
      $1
    } body: { found, statistics in
      let shard = found.shard
      guard let statistics else {
        isWhole = isWhole && found.list == nil
        return
      }
      guard codes.contains(where: { statistics.codes[$0] != nil }) else { return }
      let list = found.list ?? statistics.list?.path.map { PathBytes($0) }
      guard let list, isList(list, of: statistics) else {
        let what = list.map { DisplayText.visible($0) } ?? "its list"
        Diagnostics.say("shard \(shard.text): \(what) is missing or has changed; name it with --list")
        isWhole = false
        return
      }
      let numbers = try ShardResults.lines(of: shard, in: store, failedWith: codes)
      try ShardResults.print(numbers, of: list, to: writer)
    }
    if !isWhole { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }

  static let table = Table(columns: [
    Table.Column(title: "SHARD", width: 12...40), Table.Column(title: "STATE", width: 8),
    Table.Column(title: "FILES", width: 10, priority: 1, alignsRight: true),
    Table.Column(title: "FAILED", width: 10, priority: 2, alignsRight: true),
    Table.Column(title: "DURATION", width: 10, priority: 3, alignsRight: true),
  ])

  private static func row(_ record: Record) -> Table.Row {
    let codes = (record.codes ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let isWrong = record.state == .missing || record.state == .changed
    return Table.Row(
      cells: [
        Table.Cell(record.shard), Table.Cell(record.state.rawValue, isWrong ? .problem : .plain),
        Table.Cell(record.inputs.map(String.init) ?? ""), Table.Cell(record.failed.map(String.init) ?? ""),
        Table.Cell(record.seconds.map { HumanNumbers.duration($0) } ?? ""),
      ], notes: codes.isEmpty ? [] : [Table.Cell(codes.joined(separator: ", "), .warning)])
  }
}

extension ShardListing.Summary {
  mutating func count(_ record: ShardListing.Record) {
    end.shards += 1
    switch record.state {
    case .done: end.done += 1
    case .failing: end.failing += 1
    case .changed: end.changed += 1
    case .missing: end.missing += 1
    }
    end.inputs += record.inputs ?? 0
    end.failed += record.failed ?? 0
    end.codes.merge(record.codes ?? [:], uniquingKeysWith: +)
    if let bytes = record.bytesRead { end.bytesRead = (end.bytesRead ?? 0) + bytes }
    if let requests = record.requests { end.requests = (end.requests ?? 0) + requests }
  }
}
