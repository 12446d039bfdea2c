internal import FileSupport
internal import Glibc
internal import MediaEngine
internal import MediaModel

/// The paths in a `--files-from` list, one per line or separated by NULs. Holds one path, not the list.
struct PathList: ~Copyable {
  /// Maximum length of an entry that is kept. Linux accepts paths of at most 4,096 bytes with the NUL.
  static let longest = 65_536
  /// Maximum length of a request in JSON that is kept.
  static let longestRequest = 1_048_576
  /// What has no end after so many bytes is not a list of names.
  static let endless = 16_777_216

  /// The byte order mark that some programs write before the first line (RFC 8259 §8.1 lets readers ignore it), and the brace of a request.
  private static let markedRequest: [UInt8] = [0xEF, 0xBB, 0xBF, UInt8(ascii: "{")]

  private let descriptor: CInt
  /// The list's path, for messages.
  private let name: String
  /// The kind of list, for messages.
  private let what: String
  private var number = 0
  private let separator: UInt8
  /// Whether the lines may be requests: each has a result, however long it is.
  private let hasRequests: Bool
  private var reader: DescriptorReader
  private var piece: ArraySlice<UInt8> = []
  private var atEnd = false

  /// One entry of the list, with its number from 1; empty ones count.
  enum Entry {
    case path(PathBytes, number: Int)
    /// Longer than any path, or than any request; its beginning.
    case tooLong(PathBytes, number: Int)

    /// Whether the line is an object in JSON. A file name that begins with white space and a brace is sent as JSON.
    var isRequest: Bool {
      let text =
        switch self {
        case .path(let text, _), .tooLong(let text, _): text
        }
      return text.bytes.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } == UInt8(ascii: "{")
    }
  }

  /// Opens the list; `-` is standard input.
  init(
    _ path: PathBytes, what: String = "file list", nulSeparated: Bool, hasRequests: Bool = false, stop: StopSignal
  ) throws(Fault) {
    (name, self.what) = (DisplayText.visible(path), what)
    if path.isStandardInput {
      descriptor = STDIN_FILENO
    } else {
      // Does not wait for the writer of a FIFO; poll does, and can be stopped.
      descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor >= 0 else {
        let cause = String(cString: strerror(errno))
        let isSocket = (try? FileStatus(at: path))?.kind == .socket
        let reason = isSocket ? "it is a socket; name a regular file or a pipe, or - for standard input" : cause
        throw Fault(.usage, "cannot open the \(what) \(DisplayText.visible(path)): \(reason)")
      }
      var status = stat()
      let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
      // A link to standard input is standard input, whatever that is.
      let isInput = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path.text)
      if !isInput, kind != S_IFREG, kind != S_IFIFO {
        close(descriptor)
        throw Fault(.usage, "the \(what) \(DisplayText.visible(path)) is \(Self.refusal(of: kind))")
      }
    }
    self.hasRequests = hasRequests
    separator = nulSeparated ? 0 : UInt8(ascii: "\n")
    reader = DescriptorReader(descriptor: descriptor, stop: stop)
  }

  private static func refusal(of kind: mode_t) -> String {
    kind == S_IFDIR
      ? "a folder; to walk it, name it without --files-from"
      : "a device; name a regular file or a pipe, or - for standard input"
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// The next path; nil at the end of the list, or when the run is stopped. Skips empty entries.
  mutating func next() throws(Fault) -> Entry? {
    let longest = hasRequests ? Self.longestRequest : Self.longest
    var path: [UInt8] = []
    var tooLong = false
    var count = 0
    while true {
      let part = piece.prefix { $0 != separator }
      // After a piece that is skipped no other is added: what is kept is the beginning of the line, without a hole.
      if !tooLong, path.count + part.count <= longest { path += part } else { tooLong = true }
      piece = piece.dropFirst(part.count)
      count += part.count
      guard count <= Self.endless || hasRequests else {
        throw Fault(
          .usage,
          "the \(what) has a line of more than \(Self.endless.grouped) bytes; is it a list of names? If NUL bytes separate them, add --null."
        )
      }
      let isWhole = !piece.isEmpty || atEnd
      piece = piece.dropFirst()
      if isWhole {
        number += 1
        if hasRequests, number == 1, path.starts(with: Self.markedRequest) { path.removeFirst(3) }
        let entry = tooLong ? Entry.tooLong(PathBytes(path), number: number) : .path(PathBytes(path), number: number)
        // A name has the same limit in a list of requests.
        if tooLong || (path.count > Self.longest && !entry.isRequest) {
          return hasRequests && entry.isRequest ? entry : .tooLong(PathBytes(path.prefix(100)), number: number)
        }
        if !path.isEmpty { return entry }
        if atEnd, piece.isEmpty { return nil }
        count = 0
        continue
      }
      switch reader.read() {
      case .bytes(let bytes): piece = bytes[...]
      case .end: atEnd = true
      case .stopped: return nil
      case .failed(let code):
        throw Fault(.software, "cannot read the \(what) \(name): \(String(cString: strerror(code)))")
      }
    }
  }
}

extension PathBytes {
  /// Whether it is `-`, the name of standard input.
  var isStandardInput: Bool { bytes == [UInt8(ascii: "-")] }

  /// Whether it can be the path of an output: it has a name, and is valid UTF-8.
  func outputProblem(option: String) -> String? {
    if hasNUL { return "The file name of \(option) contains a NUL byte." }
    if !isUTF8 { return "The file name of \(option) is not UTF-8: '\(DisplayText.visible(self))'." }
    if bytes.isEmpty { return "The file name of \(option) is empty." }
    if bytes.last == Self.slash { return "\(option) '\(DisplayText.visible(self))' names a folder; name a file in it." }
    return nil
  }
}
