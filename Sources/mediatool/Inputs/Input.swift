internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// One file that the user named, or that was found in a folder that the user named.
struct Input: Sendable {
  /// Where its bytes come from.
  enum Content: Sendable {
    /// The file at the path.
    case file
    /// Standard input.
    case standardInput
    /// Nowhere: it was seen while inputs were looked for that it cannot be read.
    case failed(MediaFailure)
  }

  /// The path as given, or the given folder and what lies below it.
  let path: PathBytes
  let content: Content
  /// The folders between the folder that was named and the file: `2018/07`; empty for a file that was named itself.
  var folders: [UInt8] = []
  /// Under which name outputs of this file are written, without size and extension; empty for a verb that writes none.
  var outputName = ""

  /// The file name; standard input has none, and its outputs are called `stdin`.
  var name: ArraySlice<UInt8> {
    if case .standardInput = content { return Array("stdin".utf8)[...] }
    return path.lastComponent
  }

  /// What the name claims about the content; standard input claims nothing.
  var claim: MediaType.Claim? {
    if case .standardInput = content { return nil }
    return .fileName(path.text)
  }

  /// Where the engine takes its bytes from. Standard input is read to its end here.
  func source(limits: MediaLimits, stop: StopSignal) throws(MediaFailure) -> MediaSource {
    switch content {
    case .file: return .path(bytes: path.bytes)
    case .standardInput: return try StandardInput.source(limit: limits.bytes, stop: stop)
    case .failed(let failure): throw failure
    }
  }
}
