internal import MediaModel

/// For engines that drive the command.
extension Batch {
  /// How a run presents itself to the program that drives it.
  struct Stream: Sendable {
    /// Results come as they are ready.
    var isUnordered = false
    /// Failed files do not change the exit status.
    var isResultsOnly = false
    /// The last line states the counts.
    var hasTrailer = false
    /// Seconds between two signs of life on standard error.
    var heartbeat: Double?
    /// The run ends when the process that started it has ended: its requests come through a pipe, and nobody is left to read the results. A list in a file is
    /// processed to its end, also in the background of a shell that has ended.
    var endsWithParent = false
  }

  /// The last line of a run that reached its end.
  struct Trailer: Encodable {
    struct Counts: Encodable {
      var inputs: Int
      var failed: Int
      var seconds: Double
    }

    var end: Counts
  }

  /// The row of a request that is refused: its line instead of a path. Nil for any other input.
  static func row(refusing input: Input) -> Result<Row, Fault>? {
    guard let request = input.request, let failure = request.refusal else { return nil }
    return Result { () throws(Fault) in
      Row(lines: [try JSONLine.text(Refusal(line: request.line, error: failure), id: request.id)], failure: failure)
    }
  }

  private struct Refusal: Encodable {
    var line: Int
    var error: MediaFailure

    private enum Keys: CodingKey { case line, error }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(line, forKey: .line)
      try container.encode(ReportedFailure(error), forKey: .error)
    }
  }
}
