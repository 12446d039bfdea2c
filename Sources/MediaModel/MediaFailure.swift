/// The reason why a file has no facts or no image.
///
/// A failed file is a result, not an exception: results carry this value in their `error` property.
public struct MediaFailure: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// A stable name for the reason. The set is open: codes may be added, and none is ever renamed.
  public struct Code: RawRepresentable, Hashable, Codable, Sendable {
    /// The name in JSON.
    public let rawValue: String
    /// Creates the code with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No file exists at the path.
    public static let notFound = Code(rawValue: "notFound")
    /// The operating system denied access to the file.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// The file cannot be read: it is a directory, a device or a pipe, or an I/O error occurred.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file has no bytes.
    public static let empty = Code(rawValue: "empty")
    /// The content matches no known signature.
    public static let unrecognized = Code(rawValue: "unrecognized")
    /// The type is known, but the requested operation is not available for it.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The file ends before its content does.
    public static let truncated = Code(rawValue: "truncated")
    /// The content violates its own format.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file needs a password.
    public static let encrypted = Code(rawValue: "encrypted")
    /// The file has more bytes than allowed, or cannot be made small enough.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The file is too long for the byte limit, and cutting it was not allowed.
    public static let wouldNotFit = Code(rawValue: "wouldNotFit")
    /// The image has more pixels than allowed.
    public static let tooManyPixels = Code(rawValue: "tooManyPixels")
    /// The image has more frames than allowed.
    public static let tooManyFrames = Code(rawValue: "tooManyFrames")
    /// The deadline passed before the work was done.
    public static let timedOut = Code(rawValue: "timedOut")
    /// Memory was exhausted.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// A worker ended by a signal, violated the protocol, or was killed for its threads; the file may be harmful.
    public static let decoderCrashed = Code(rawValue: "decoderCrashed")
    /// The caller cancelled the request.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The queue is full; nothing was done.
    public static let busy = Code(rawValue: "busy")
    /// No worker process can be started; `mediatool doctor` shows the reason. The machine is at fault, not the file.
    public static let unavailable = Code(rawValue: "unavailable")
    /// An image was made but cannot be written to its destination.
    public static let unwritable = Code(rawValue: "unwritable")
    /// The source is another file than when it was listed or first read.
    public static let changed = Code(rawValue: "changed")
    /// The server of the source, or the way to it, does not work at present.
    public static let sourceUnavailable = Code(rawValue: "sourceUnavailable")
    /// The source, or the address that it has, may not be read from here.
    public static let sourceNotAllowed = Code(rawValue: "sourceNotAllowed")
    /// The server of the source violates its protocol.
    public static let badResponse = Code(rawValue: "badResponse")
    /// There are no keys for the source, which this machine should have.
    public static let noCredentials = Code(rawValue: "noCredentials")
    /// The request is not valid for this file, for example a crop outside the image.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
  }

  /// The stable code to decide by.
  public var code: Code
  /// One sentence that is safe to show to users: it contains no path and no library text.
  public var message: String
  /// The failing library's own message, for administrators. It is a hint and not stable.
  ///
  /// It may quote the file, so never show it to users unescaped.
  public var detail: String?

  /// Creates a failure from a code, a message for users, and the library's message if there is one.
  public init(_ code: Code, _ message: String, detail: String? = nil) {
    self.code = code
    self.message = message
    self.detail = detail
  }

  /// Code, message and detail in one line, for logs only: it includes ``detail``.
  public var description: String {
    detail.map { "\(code.rawValue): \(message) (\($0))" } ?? "\(code.rawValue): \(message)"
  }
}
