/// Lets the edits of one draft happen one after the other, in the order of arrival, without holding a thread.
actor DraftEditQueue {
  /// Those that wait for a draft, by its id. A draft that nobody edits has no entry.
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  /// Runs a closure while no other one runs for the same draft.
  nonisolated func take<Value: Sendable>(
    _ draft: String, _ body: () async throws(ServiceError) -> Value
  ) async throws(ServiceError) -> Value {
    await begin(draft)
    do throws(ServiceError) {
      let value = try await body()
      await end(draft)
      return value
    } catch {
      await end(draft)
      throw error
    }
  }

  /// Number of closures that wait for a draft.
  func waitingCount(_ draft: String) -> Int { waiting[draft]?.count ?? 0 }

  private func begin(_ draft: String) async {
    guard waiting[draft] != nil else {
      waiting[draft] = []
      return
    }
    await withCheckedContinuation { waiting[draft]?.append($0) }
  }

  private func end(_ draft: String) {
    guard var queue = waiting[draft], !queue.isEmpty else {
      waiting[draft] = nil
      return
    }
    let next = queue.removeFirst()
    waiting[draft] = queue
    next.resume()
  }
}
