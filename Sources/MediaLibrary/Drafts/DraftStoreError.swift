internal import Glibc

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
    case .system(let code, let doing): "cannot \(doing): \(String(cString: strerror(code)))"
    case .unreadable(let reason): "a draft cannot be read: \(reason)"
    case .notKept: "drafts are not kept here"
    }
  }

  /// What the last system call said.
  static func last(_ doing: String) -> DraftStoreError { .system(code: errno, doing: doing) }
}
