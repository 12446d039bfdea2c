internal import MediaLibrary

/// Files of which metadata cannot be removed, with the error. The one that was refused longest ago is dropped first.
struct RefusedOriginals {
  private struct Refusal {
    let entityTag: String
    let error: ServiceError
    /// Its position in the order of all refusals.
    let number: Int
  }

  private let limit: Int
  private var refusals: [FileID: Refusal] = [:]
  private var count = 0

  /// - Parameter limit: Number of files that are remembered.
  init(limit: Int) { self.limit = limit }

  /// The error of a file in this state; nil if it was not refused, or is no longer remembered.
  subscript(key: StrippedOriginals.Key) -> ServiceError? {
    refusals[key.id].flatMap { $0.entityTag == key.entityTag ? $0.error : nil }
  }

  /// Remembers a file in its latest state.
  mutating func insert(_ key: StrippedOriginals.Key, _ error: ServiceError) {
    count += 1
    refusals[key.id] = Refusal(entityTag: key.entityTag, error: error, number: count)
    // A search, but only after a whole file was read in vain.
    guard refusals.count > limit, let oldest = refusals.min(by: { $0.value.number < $1.value.number }) else { return }
    refusals[oldest.key] = nil
  }

  mutating func remove(_ ids: Set<FileID>) {
    for id in ids { refusals[id] = nil }
  }
}
