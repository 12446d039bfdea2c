internal import FileSupport
internal import LibraryScanner
internal import MediaLibrary
internal import MediaModel

/// The JSON record of `scan --json` for one file (docs/design.md §7).
struct ScanRecord: Encodable, Sendable {
  let path: PathBytes
  /// The result: `new`, `changed`, `retried`, `completed`, `moved`, `linked`, `returned`, `vanished`, `unchanged`; nil for a scan without a library.
  var state: String?
  /// The previous path of a moved file, or the file of which it is another name.
  var other: PathBytes?
  var info: MediaInfo?
  var renditions: [StoredRendition]?
  var placeholder: Placeholder?
  var error: MediaFailure?

  private enum Keys: CodingKey { case state, renditions, placeholder, error }

  init(path: PathBytes) { self.path = path }

  init(_ file: MediaScan.Event.File, keeps: Bool) {
    path = PathBytes(file.path.bytes)
    state = keeps ? file.state.rawValue : nil
    other = file.other.map { PathBytes($0.bytes) }
    info = file.info
    renditions = file.renditions.isEmpty ? nil : file.renditions
    placeholder = file.placeholder
    error = file.failure
  }

  init(_ problem: MediaScan.Event.Problem) {
    path = PathBytes(problem.path.bytes)
    error = problem.failure
  }

  func encode(to encoder: any Encoder) throws {
    // The facts are encoded as by `probe`; a later failure replaces an earlier one.
    if let info {
      try ProbeRecord(path: path, info: info).encode(to: encoder)
    } else {
      try PathKeys.encode(path, as: "path", to: encoder)
    }
    if let other { try PathKeys.encode(other, as: "from", to: encoder) }
    var container = encoder.container(keyedBy: Keys.self)
    try container.encodeIfPresent(state, forKey: .state)
    try container.encodeIfPresent(renditions, forKey: .renditions)
    try container.encodeIfPresent(placeholder, forKey: .placeholder)
    try container.encodeIfPresent(ReportedFailure(error), forKey: .error)
  }

  /// The line of an unchanged file. Most paths are plain text, and there may be a million.
  static func unchanged(_ path: PathBytes) throws(Fault) -> String {
    let isPlain = path.bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    if isPlain { return #"{"path":"\#(String(decoding: path.bytes, as: UTF8.self))","state":"unchanged"}"# }
    var record = ScanRecord(path: PathBytes(path.bytes))
    record.state = "unchanged"
    return try JSONLine.text(record)
  }
}
