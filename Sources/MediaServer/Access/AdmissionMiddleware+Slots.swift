internal import MediaEngine

extension AdmissionMiddleware {
  /// How many requests of a class may run at a time.
  struct Limit: Sendable {
    let count: Int
    /// Of one owner; nil for as many as there are.
    let perOwner: Int?

    init(_ count: Int, perOwner: Int? = nil) { (self.count, self.perOwner) = (count, perOwner) }
  }

  /// The free places of each class.
  final class Slots: Sendable {
    /// Whether a place was free.
    enum Outcome: Sendable {
      case taken
      /// There is none.
      case full
      /// The owner has as many as one may have.
      case ownShareTaken
    }

    private struct Share: Hashable, Sendable {
      let kind: Class
      let owner: String
    }

    private struct State: Sendable {
      var free: [Class: Int]
      /// Places by owner, of classes of which an owner has a share.
      var taken: [Share: Int] = [:]
    }

    private let state: Locked<State>
    private let limits: [Class: Limit]

    init(_ limits: [Class: Limit]) {
      self.limits = limits
      state = Locked(State(free: limits.mapValues(\.count)))
    }

    /// - Parameter owner: Whose share is counted; nil for nobody's.
    func take(_ kind: Class, owner: String? = nil) -> Outcome {
      state.withLock { state in
        guard let count = state.free[kind], count > 0 else { return .full }
        if let owner, let limit = limits[kind]?.perOwner {
          let taken = state.taken[Share(kind: kind, owner: owner), default: 0]
          guard taken < limit else { return .ownShareTaken }
          state.taken[Share(kind: kind, owner: owner)] = taken + 1
        }
        state.free[kind] = count - 1
        return .taken
      }
    }

    /// - Parameter owner: As it was taken.
    func free(_ kind: Class, owner: String? = nil) {
      state.withLock { state in
        state.free[kind, default: 0] += 1
        guard let owner, let count = state.taken[Share(kind: kind, owner: owner)] else { return }
        state.taken[Share(kind: kind, owner: owner)] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// A place that is freed once: at the end of a body, or when an answer is dropped unwritten.
  final class Slot: Sendable {
    private let slots: Slots
    private let kind: Class
    private let owner: String?
    private let isTaken = Locked(true)

    init(_ slots: Slots, _ kind: Class, owner: String?) { (self.slots, self.kind, self.owner) = (slots, kind, owner) }

    func free() {
      if isTaken.withLock({ isTaken in
        defer { isTaken = false }
        return isTaken
      }) {
        slots.free(kind, owner: owner)
      }
    }

    deinit { free() }
  }
}
