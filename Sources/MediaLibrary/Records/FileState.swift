/// How far a file is.
public enum FileState: String, Sendable, Codable, CaseIterable {
  /// Seen, not looked into yet.
  case new
  /// Its facts are known.
  case done
  /// It was looked into and failed; not tried again until it or the engine changes, or somebody asks.
  case failed
  /// It is not where it was. Its row waits for it to turn up elsewhere, or to be purged.
  case vanished
  /// It is kept from everybody: no query gives it but the one that asks for it by name (R-MYM-26).
  case quarantined

  /// The number in the catalogue; never changed.
  var number: Int64 {
    switch self {
    case .new: 0
    case .done: 1
    case .failed: 2
    case .vanished: 3
    case .quarantined: 4
    }
  }

  /// The number as SQL, for statements that are text before they have arguments: partial indexes, triggers and what has to match these.
  var sql: String { "\(number)" }

  init?(number: Int64) {
    guard let state = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = state
  }
}
