internal import FileSupport

extension DraftStore {
  /// The reason why a draft could not be saved or loaded.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A system error with its `errno`; `doing` completes the sentence "cannot …".
    case system(code: Int32, doing: String)
    /// A draft exists and cannot be read: written by a newer version, or not by a store. It stays unchanged.
    case unreadable(reason: String)
    /// The store keeps no drafts, and so no file of a draft (``DraftStore/Keeping/none``).
    case notKept

    /// One sentence for the administrator.
    public var description: String {
      switch self {
      case .system(let code, let doing): "cannot \(doing): \(FileError(code: code))"
      case .unreadable(let reason):
        "a draft cannot be read; update this program if a newer one wrote it, otherwise remove the file: \(reason)"
      case .notKept: "drafts are disabled for this store; open it with `keeping: .onDisk`"
      }
    }
  }
}
