extension CatalogueFile {
  /// What is known of a file after the last scan.
  public enum State: String, Sendable, Codable, CaseIterable, NumberedCase {
    /// Found, not examined yet.
    case new
    /// Examined; its facts are known.
    case done
    /// Examined and failed. Tried again when the file or the engine changes, or on request.
    case failed
    /// No longer at its path. Its row stays until the file is found elsewhere or erased.
    case vanished
    /// Hidden: only a query for this state returns it (R-MYM-26).
    case quarantined

    /// The number in the catalogue; never changes.
    var number: Int64 {
      switch self {
      case .new: 0
      case .done: 1
      case .failed: 2
      case .vanished: 3
      case .quarantined: 4
      }
    }
  }
}
