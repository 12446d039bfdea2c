internal import FileSupport

/// Why a draft could not be kept or found.
public enum DraftStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refused; its error number.
  case system(code: Int32, doing: String)
  /// A draft is there and cannot be read: of a newer version, or not written by a store. It is left as it is.
  case unreadable(reason: String)
  /// Drafts are not kept here, and so no file for one (``DraftStore/Keeping/none``).
  case notKept

  /// One sentence for the operator.
  public var description: String {
    switch self {
    case .system(let code, let doing): "cannot \(doing): \(FileError(code: code))"
    case .unreadable(let reason): "a draft cannot be read: \(reason)"
    case .notKept: "this store keeps no drafts"
    }
  }

  /// What the system said while something was done.
  static func system(_ error: FileError, doing: String) -> DraftStoreError { .system(code: error.code, doing: doing) }
}
