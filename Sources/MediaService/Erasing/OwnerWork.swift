internal import MediaEngine

/// Work in the name of an owner that ends with a change, such as taking in a file. The erasure of the owner ends it: what it would change
/// afterwards is refused, so nothing of the owner comes back.
final class OwnerWork: Sendable {
  private struct State: Sendable {
    var last: UInt64 = 0
    var running: [String: Set<UInt64>] = [:]
  }

  private let state = Locked(State())

  /// One piece of work, until it is released.
  final class Token: Sendable {
    private let owner: String
    private let number: UInt64
    private let work: OwnerWork

    fileprivate init(_ owner: String, _ number: UInt64, _ work: OwnerWork) {
      (self.owner, self.number, self.work) = (owner, number, work)
    }

    deinit { work.remove(number, of: owner) }

    /// Whether the owner was erased since the work began.
    var isEnded: Bool { work.state.withLock { !($0.running[owner]?.contains(number) ?? false) } }

    /// Fails if the owner was erased since the work began. Call it where nothing can be erased before the change is made, or where what was
    /// changed is erased with the rest.
    func requireRunning() throws(ServiceError) { if isEnded { throw .ownerErased } }
  }

  /// Begins work, before it reads anything of the owner.
  func begin(for owner: String) -> Token {
    let number = state.withLock { state in
      state.last += 1
      state.running[owner, default: []].insert(state.last)
      return state.last
    }
    return Token(owner, number, self)
  }

  /// Ends all work of an owner, before its rows are erased.
  func end(of owner: String) { state.withLock { $0.running[owner] = nil } }

  private func remove(_ number: UInt64, of owner: String) {
    state.withLock { state in
      state.running[owner]?.remove(number)
      if state.running[owner]?.isEmpty == true { state.running[owner] = nil }
    }
  }
}

extension ServiceError {
  static let ownerErased = ServiceError(.gone, "All data of this owner was erased while the request ran.")
  static let attachmentErased = ServiceError(
    .conflict, "The attachment was erased while the request ran.", retryAfter: 1)
}
