internal import MediaLibrary

/// Files of which metadata cannot be removed, with the error. The one that was refused longest ago is dropped first.
struct RefusedOriginals {
  private struct Refusal {
    let entityTag: String
    let error: ServiceError
    /// The number of its entry in `order`; earlier entries of the file are void.
    let number: Int
  }

  private let limit: Int
  private var refusals: [FileID: Refusal] = [:]
  /// Every refusal in its order, and void entries of files that were dropped or refused again.
  private var order: ArraySlice<(id: FileID, number: Int)> = []
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
    order.append((key.id, count))
    while refusals.count > limit, let oldest = order.popFirst() {
      if isCurrent(oldest) { refusals[oldest.id] = nil }
    }
    // Void entries are removed all at once, so that a call takes constant time on average.
    if order.count > 2 * limit { order = ArraySlice(order.filter(isCurrent)) }
  }

  mutating func remove(_ ids: Set<FileID>) {
    for id in ids { refusals[id] = nil }
  }

  private func isCurrent(_ entry: (id: FileID, number: Int)) -> Bool { refusals[entry.id]?.number == entry.number }
}
