public import FileSupport

/// The reason why an operation of a library failed.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A stable name for the reason. More may be added; none is ever renamed.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name, such as `diskFull`, in JSON and in logs.
    public let rawValue: String
    /// A code, which need not be one of those below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Another process is writing to the library.
    public static let locked = Code(rawValue: "libraryLocked")
    /// A newer version wrote the library; this one cannot read it.
    public static let newerSchema = Code(rawValue: "libraryNewer")
    /// An older version wrote the library; opening it for writing migrates it.
    public static let olderSchema = Code(rawValue: "libraryOlder")
    /// The file is not a library.
    public static let notALibrary = Code(rawValue: "notALibrary")
    /// The library does not exist, and it was opened for reading.
    public static let notFound = Code(rawValue: "libraryNotFound")
    /// The catalogue is missing, and other parts of the library exist: a rebuild creates another catalogue.
    public static let catalogueMissing = Code(rawValue: "catalogueMissing")
    /// A rebuild would lose data that is readable now, or an unknown amount, and the caller has not accepted that.
    public static let wouldLose = Code(rawValue: "rebuildWouldLose")
    /// The folder of the copy is missing, empty or without a marker: its disk may not be mounted.
    public static let noCopy = Code(rawValue: "copyNotFound")
    /// The folder is the copy of another library.
    public static let otherCopy = Code(rawValue: "copyOfAnotherLibrary")
    /// The stored data is inconsistent; `repair` may help.
    public static let corrupt = Code(rawValue: "libraryCorrupt")
    /// The disk is full. The library is unchanged.
    public static let diskFull = Code(rawValue: "diskFull")
    /// The library was opened for reading.
    public static let readOnly = Code(rawValue: "libraryReadOnly")
    /// Too many calls are waiting; the same call may succeed a moment later.
    public static let busy = Code(rawValue: "libraryBusy")
    /// The library was closed before or during the call; open it again.
    public static let closed = Code(rawValue: "libraryClosed")
    /// An invalid argument, such as a cursor of another library or an unknown id.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// The change was made on an earlier version of a moment or a trip; ``LibraryError/currentVersion`` has the version that it has now.
    public static let versionConflict = Code(rawValue: "versionConflict")
    /// A system call failed.
    public static let system = Code(rawValue: "systemError")
  }

  /// The stable name of the reason.
  public var code: Code
  /// One sentence with the way out, which is safe to show to any user.
  public var message: String
  /// The file or folder that is affected; nil if the reason is in the request. For the administrator, as is ``detail``: a server shows neither to users.
  public var path: PathBytes?
  /// The message of the system or the database, for the administrator.
  public var detail: String?

  /// With ``Code/versionConflict``, the version that the moment or the trip has now.
  public var currentVersion: Int?

  /// - Parameters:
  ///   - message: One sentence with the way out.
  ///   - path: The file or folder that is affected, for the administrator.
  ///   - detail: The message of the system or the database, for the administrator.
  public init(_ code: Code, _ message: String, path: PathBytes? = nil, detail: String? = nil) {
    (self.code, self.message, self.path, self.detail) = (code, message, path, detail)
  }

  /// The code, the message, the path and the detail in one line, for a log.
  public var description: String { "\(code.rawValue): \(sentence)" }

  /// The message, the path and the detail in one line, for the administrator.
  public var sentence: String {
    let rest = [path.map { "\($0)" }, detail].compactMap { $0 }
    return rest.isEmpty ? message : "\(message) (\(rest.joined(separator: ": ")))"
  }

  /// The same error about a file or folder, unless it names one.
  func at(_ path: PathBytes) -> LibraryError {
    var error = self
    if error.path == nil { error.path = path }
    return error
  }

  /// The error of a call that changes a library opened for reading.
  static func onlyReading(_ location: PathBytes) -> LibraryError {
    LibraryError(.readOnly, "The library is open for reading only; open it for writing.", path: location)
  }

  /// The error of the last system call.
  static func last(_ doing: String) -> LibraryError { LibraryError(.last, doing) }
}
