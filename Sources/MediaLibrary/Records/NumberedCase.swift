/// A case that the catalogue stores as a number, which never changes.
protocol NumberedCase: CaseIterable {
  /// The number in the catalogue.
  var number: Int64 { get }
}

extension NumberedCase {
  /// The number as SQL text: statements name a case, and do not repeat its number. For partial indexes, triggers, and statements that must match these.
  var sql: String { "\(number)" }

  /// SQL of the numbers of all cases, to follow `IN`.
  static var allSQL: String { "(\(allCases.map(\.sql).joined(separator: ", ")))" }

  init?(number: Int64) {
    guard let value = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = value
  }
}
