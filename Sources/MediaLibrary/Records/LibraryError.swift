internal import FileSupport

/// Why a library could not do something.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A stable name for the reason. An open set: more may be added, none is ever renamed.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Another process is writing; only one may.
    public static let locked = Code(rawValue: "libraryLocked")
    /// It was written by a newer version, which this one cannot read.
    public static let newerSchema = Code(rawValue: "libraryNewer")
    /// It was written by an older version; opening it for writing brings it up to date.
    public static let olderSchema = Code(rawValue: "libraryOlder")
    /// What is there is no library.
    public static let notALibrary = Code(rawValue: "notALibrary")
    /// There is no library there, and reading makes none.
    public static let notFound = Code(rawValue: "libraryNotFound")
    /// There is no catalogue, and other parts of a library are there: a rebuild makes another.
    public static let catalogueMissing = Code(rawValue: "catalogueMissing")
    /// A rebuild would lose what can be read now, or cannot be read, and nobody accepted that.
    public static let wouldLose = Code(rawValue: "rebuildWouldLose")
    /// The folder of the copy is missing, empty or without a marker: its disk may not be mounted.
    public static let noCopy = Code(rawValue: "copyNotFound")
    /// The folder is the copy of another library.
    public static let otherCopy = Code(rawValue: "copyOfAnotherLibrary")
    /// What is kept contradicts itself: `repair` may help.
    public static let corrupt = Code(rawValue: "libraryCorrupt")
    /// There is no room on the disk. What was there is as it was.
    public static let diskFull = Code(rawValue: "diskFull")
    /// It was opened for reading.
    public static let readOnly = Code(rawValue: "libraryReadOnly")
    /// A cursor that this library did not give out, or an id that it does not know.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// The system said no.
    public static let system = Code(rawValue: "systemError")
  }

  /// The stable reason.
  public var code: Code
  /// One sentence that may be shown to anybody.
  public var message: String
  /// What the system or the database said, for the operator.
  public var detail: String?

  /// An error with its sentence.
  public init(_ code: Code, _ message: String, detail: String? = nil) {
    (self.code, self.message, self.detail) = (code, message, detail)
  }

  /// The code, the sentence and the detail in one line: for a log.
  public var description: String {
    detail.map { "\(code.rawValue): \(message) (\($0))" } ?? "\(code.rawValue): \(message)"
  }

  /// What the last system call said.
  static func last(_ doing: String) -> LibraryError { LibraryError(.last, doing) }

  /// What the system said while something was done.
  init(_ error: FileError, _ doing: String) {
    self.init(
      error.isDiskFull ? .diskFull : .system, error.isDiskFull ? "The disk is full." : "A system call failed.",
      detail: "cannot \(doing): \(error)")
  }
}
