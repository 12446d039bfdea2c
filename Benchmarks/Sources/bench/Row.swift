/// One line of the table: our command, what it is held against, and what has to come out.
struct Row {
  enum Requirement {
    /// The peer's time divided by ours.
    case speed(atLeast: Double)
    /// Our time divided by the peer's.
    case time(atMost: Double)
    /// Our processor time, that of the workers included, divided by the peer's.
    case processor(atMost: Double)
    /// Our time in seconds, whatever the peer, which shows what a start costs at least.
    case start(below: Double)
    /// Number of workers that our side starts, whatever the peer.
    case workers(atMost: Int)
    /// Megabytes that our side, a loop in one thread, works through in a second of processor time, whatever the peer: a busy machine does not
    /// change it.
    case throughput(megabytes: Double, atLeast: Double)
    /// Our peak memory in MiB, whatever the peer.
    case memory(below: Double)
    /// MiB by which our peak memory exceeds the peer's.
    case growth(atMost: Double)
    /// Our processor time in seconds for each of so many, whatever the peer: of a loop in one thread that is its time, and a busy
    /// machine does not change it.
    case each(below: Double, of: Int)
    /// Milliseconds that each of so many files takes longer than with the peer.
    case added(atMost: Double, files: Int)
  }

  var work: String
  var ours: Command
  /// Who is compared with, as the table names it.
  var peerName = ""
  var peer: Command?
  var requirement: Requirement
  /// What is measured with.
  var needs: [InputSet] = []

  func needing(_ sets: InputSet...) -> Row {
    var row = self
    row.needs += sets
    return row
  }
}

/// The runs of one row.
struct RowResult {
  var row: Row
  var ours: [Measurement] = []
  var peer: [Measurement] = []

  /// Both sides by turns, each going first in every other round; one round before that fills the caches and is not counted.
  static func measure(_ row: Row, runs: Int, progress: (String) -> Void) throws -> RowResult {
    var result = RowResult(row: row)
    for round in 0...runs {
      progress("\(row.work): \(round == 0 ? "warming up" : "run \(round) of \(runs)")")
      if round % 2 == 0, let peer = row.peer { result.peer.append(try peer.run()) }
      result.ours.append(try row.ours.run())
      if round % 2 == 1, let peer = row.peer { result.peer.append(try peer.run()) }
    }
    result.ours.removeFirst()
    if row.peer != nil { result.peer.removeFirst() }
    return result
  }

  /// The figure that has to reach something.
  var figure: Double {
    let ours = median(self.ours.map(\.seconds))
    let peer = median(self.peer.map(\.seconds))
    return switch row.requirement {
    case .speed: peer / ours
    case .time: ours / peer
    case .processor: median(self.ours.map(\.processorSeconds)) / median(self.peer.map(\.processorSeconds))
    case .start: ours
    case .workers: Double(self.ours.map(\.workers).max() ?? 0)
    case .throughput(let megabytes, _): megabytes / max(1e-9, median(self.ours.map(\.processorSeconds)))
    case .memory: Double(self.ours.map(\.peak).max() ?? 0) / 1_048_576
    case .growth:
      Double((self.ours.map(\.peak).max() ?? 0) - (self.peer.map(\.peak).max() ?? 0)) / 1_048_576
    case .each(_, let count): median(self.ours.map(\.processorSeconds)) / Double(max(1, count))
    case .added(_, let files): (ours - peer) * 1_000 / Double(files)
    }
  }

  var isReached: Bool {
    switch row.requirement {
    case .speed(let atLeast): figure >= atLeast
    case .time(let atMost): figure <= atMost
    case .processor(let atMost): figure <= atMost
    case .start(let below): figure < below
    case .workers(let atMost): figure <= Double(atMost)
    case .throughput(_, let atLeast): figure >= atLeast
    case .memory(let below): figure < below
    case .growth(let atMost): figure <= atMost
    case .each(let below, _): figure < below
    case .added(let atMost, _): figure <= atMost
    }
  }
}

/// The middle value; of an even number the mean of the two in the middle. 0 of none.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
