internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// The files that a list names, also those further down: no output may replace one of them. The list is read a second time, when an output would
/// replace a file. Only its first million files are kept: the files of a longer list are as unknown as those of a pipe.
final class ListedFiles: Sendable {
  /// What has been read of the list.
  private struct Known: Sendable {
    var files: Set<FileIdentity> = []
    /// Whether the list has more files.
    var isCut = false
  }

  private let list: PathBytes?
  private let nulSeparated: Bool
  private let includesHidden: Bool
  private let requests: PathBytes?
  private let stop: StopSignal
  private let known = Locked<Known?>(nil)
  private let limit: Int

  /// Nil without a list.
  /// - Parameter limit: Number of files that are kept. 1,000,000 by default.
  init?(_ inputs: InputOptions, requests: PathBytes?, stop: StopSignal, limit: Int = 1_000_000) {
    guard inputs.filesFrom != nil || requests != nil else { return nil }
    (list, nulSeparated, includesHidden) = (inputs.filesFrom, inputs.null, inputs.hidden)
    (self.requests, self.stop) = (requests, stop)
    self.limit = limit
  }

  /// Whether the list cannot be read a second time, because it comes from a pipe, or was found to be too long.
  var isUnknown: Bool { isPiped || known.withLock { $0?.isCut ?? false } }

  private var isPiped: Bool {
    [list, requests].compactMap { $0 }.contains { $0.isStandardInput || (try? FileStatus(at: $0))?.kind != .file }
  }

  /// Whether the list names a file.
  func contains(_ file: FileIdentity) throws(Fault) -> Bool {
    if isPiped { return false }
    return try known.withLock { (known: inout Known?) throws(Fault) -> Bool in
      let found = if let known { known } else { try read() }
      known = found
      return found.files.contains(file)
    }
  }

  private func read() throws(Fault) -> Known {
    var source = try InputSource(
      list: list, nulSeparated: nulSeparated, requests: requests, includesHidden: includesHidden, stop: stop)
    var found = Known()
    while stop.signal == nil, !found.isCut, let input = try source.next() {
      guard let identity = FileIdentity(of: input), !found.files.contains(identity) else { continue }
      if found.files.count < limit { found.files.insert(identity) } else { found.isCut = true }
    }
    return found
  }
}
