internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// One file that the user named, or that was found in a folder that the user named.
struct Input: Sendable {
  /// The source of its bytes.
  enum Content: Sendable {
    /// The file at the path.
    case file
    /// What another process writes, or a file to which it is redirected.
    case standardInput
    /// Bytes that were read from a stream.
    case opened(MediaSource)
    /// The URL or the object that the path names.
    case remote(any RemoteFileReading)
    /// None: the search for inputs found that it cannot be read.
    case failed(MediaFailure)
  }

  /// The path as given, or the given folder with the path below it.
  let path: PathBytes
  let content: Content
  /// The folders between the named folder and the file: `2018/07`; empty for a file that was named itself.
  var folders: [UInt8] = []
  /// Whether it was found in a folder that the user named.
  var isWalked = false
  /// The name of this file's outputs, without size and extension; empty for a command without outputs.
  var outputName = ""
  /// The request that names it; nil for a file that was named otherwise.
  var request: FileRequest?

  /// The file name; `stdin` for standard input.
  var name: ArraySlice<UInt8> {
    if case .standardInput = content { return Array("stdin".utf8)[...] }
    if let name = request?.name { return Array(name.utf8)[...] }
    if case .remote = content { return RemoteName.fileName(path) }
    return path.lastComponent
  }

  /// The type that the name states; nil for standard input.
  var claim: MediaType.Claim? {
    if case .standardInput = content { return nil }
    if case .remote = content, request?.name == nil {
      return .fileName(String(decoding: RemoteName.fileName(path), as: UTF8.self))
    }
    return .fileName(request?.name ?? path.text)
  }

  /// What was fetched so far; nil for a file of this machine.
  var fetched: (bytes: Int, requests: Int)? {
    guard case .remote(let file) = content else { return nil }
    return (file.bytesRead, file.requests)
  }

  /// The source for the engine. Standard input is read to its end here.
  func source(limits: MediaLimits, stop: StopSignal) throws(MediaFailure) -> MediaSource {
    switch content {
    case .file: return .path(bytes: path.bytes)
    case .standardInput: return try StandardInput.source(limit: limits.bytes, stop: stop)
    case .opened(let source): return source
    case .remote(let file): return .ranges(file)
    case .failed(let failure): throw failure
    }
  }
}
