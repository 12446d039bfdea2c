internal import MediaModel

/// A failure as results show it: with the advice whether to try again.
struct ReportedFailure: Encodable {
  private let failure: MediaFailure

  init(_ failure: MediaFailure) { self.failure = failure }

  init?(_ failure: MediaFailure?) {
    guard let failure else { return nil }
    self.init(failure)
  }

  private enum Keys: CodingKey { case retry }

  func encode(to encoder: any Encoder) throws {
    try failure.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(failure.retry, forKey: .retry)
  }
}
