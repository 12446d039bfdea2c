internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// The files that a list names, also those further down: no output may replace one of them. The list is read a second time, when an output would
/// replace a file.
final class ListedFiles: Sendable {
  private let list: PathBytes?
  private let nulSeparated: Bool
  private let includesHidden: Bool
  private let requests: PathBytes?
  private let stop: StopSignal
  private let known = Locked<Set<FileIdentity>?>(nil)

  /// Nil without a list.
  init?(_ inputs: InputOptions, requests: PathBytes?, stop: StopSignal) {
    guard inputs.filesFrom != nil || requests != nil else { return nil }
    (list, nulSeparated, includesHidden) = (inputs.filesFrom, inputs.null, inputs.hidden)
    (self.requests, self.stop) = (requests, stop)
  }

  /// Whether the list cannot be read a second time, because it comes from a pipe.
  var isUnknown: Bool {
    [list, requests].compactMap { $0 }.contains { $0.isStandardInput || (try? FileStatus(at: $0))?.kind != .file }
  }

  /// Whether the list names a file.
  func contains(_ file: FileIdentity) throws(Fault) -> Bool {
    if isUnknown { return false }
    return try known.withLock { (known: inout Set<FileIdentity>?) throws(Fault) -> Bool in
      let files = if let known { known } else { try read() }
      known = files
      return files.contains(file)
    }
  }

  private func read() throws(Fault) -> Set<FileIdentity> {
    var source = try InputSource(
      list: list, nulSeparated: nulSeparated, requests: requests, includesHidden: includesHidden, stop: stop)
    var files: Set<FileIdentity> = []
    while stop.signal == nil, let input = try source.next() {
      if let identity = FileIdentity(of: input) { files.insert(identity) }
    }
    return files
  }
}
