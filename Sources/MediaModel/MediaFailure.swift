/// Why a file has no facts, or no image. A failed file is a result, not an exception: this value stands in it.
public struct MediaFailure: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// A stable name for the reason. An open set: more may be added, none is ever renamed.
  public struct Code: RawRepresentable, Hashable, Codable, Sendable {
    /// The name in JSON.
    public let rawValue: String
    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is nothing at that path.
    public static let notFound = Code(rawValue: "notFound")
    /// The system refused to open it.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// It cannot be read: a directory, a device, a pipe, or an input error.
    public static let unreadable = Code(rawValue: "unreadable")
    /// It has no bytes.
    public static let empty = Code(rawValue: "empty")
    /// No signature fits its content.
    public static let unrecognized = Code(rawValue: "unrecognized")
    /// Its type is known, and nothing here can do what was asked with it.
    public static let unsupported = Code(rawValue: "unsupported")
    /// It ends before its content does.
    public static let truncated = Code(rawValue: "truncated")
    /// Its content contradicts its own format.
    public static let corrupt = Code(rawValue: "corrupt")
    /// It needs a password.
    public static let encrypted = Code(rawValue: "encrypted")
    /// It has more bytes than allowed, or cannot be made small enough.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// It is too long for the bytes that it may have, and was not to be cut.
    public static let wouldNotFit = Code(rawValue: "wouldNotFit")
    /// It has more pixels than allowed.
    public static let tooManyPixels = Code(rawValue: "tooManyPixels")
    /// It has more frames than allowed.
    public static let tooManyFrames = Code(rawValue: "tooManyFrames")
    /// The deadline passed first.
    public static let timedOut = Code(rawValue: "timedOut")
    /// There was not enough memory.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// The decoder died.
    public static let decoderCrashed = Code(rawValue: "decoderCrashed")
    /// The caller gave up.
    public static let cancelled = Code(rawValue: "cancelled")
    /// As many files are waiting as are taken; nothing was done.
    public static let busy = Code(rawValue: "busy")
    /// The machine, not the file: no process to decode in can be started.
    public static let unavailable = Code(rawValue: "unavailable")
    /// An image was made, and cannot be written under its name.
    public static let unwritable = Code(rawValue: "unwritable")
    /// The request does not fit the file: a crop outside it, for example.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
  }

  /// The stable reason.
  public var code: Code
  /// One sentence that may be shown to anybody: no path, no text of a library.
  public var message: String
  /// What the failing library said, for the operator; a hint, not a contract. It may quote the file, so it must not be shown to
  /// users unescaped.
  public var detail: String?

  /// A failure with its sentence and, where there is one, the library's own words.
  public init(_ code: Code, _ message: String, detail: String? = nil) {
    self.code = code
    self.message = message
    self.detail = detail
  }

  /// The code, the sentence and the detail in one line: for a log, as ``detail`` is.
  public var description: String {
    detail.map { "\(code.rawValue): \(message) (\($0))" } ?? "\(code.rawValue): \(message)"
  }
}
