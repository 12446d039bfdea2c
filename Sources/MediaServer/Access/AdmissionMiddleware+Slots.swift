internal import MediaEngine

extension AdmissionMiddleware {
  /// How many requests of a class may run at a time; for messages, how many bytes they may have together.
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

    /// Places that a request takes: those that it asks for, or as many as there are, so that one alone always runs.
    func weight(_ asked: Int, of kind: Class) -> Int {
      guard let limit = limits[kind] else { return asked }
      return min(asked, max(1, min(limit.count, limit.perOwner ?? limit.count)))
    }

    /// - Parameter owner: Whose share is counted; nil for nobody's.
    func take(_ kind: Class, _ weight: Int = 1, owner: String? = nil) -> Outcome {
      state.withLock { state in
        guard let count = state.free[kind], count >= weight else { return .full }
        if let owner, let limit = limits[kind]?.perOwner {
          let taken = state.taken[Share(kind: kind, owner: owner), default: 0]
          guard taken + weight <= limit else { return .ownShareTaken }
          state.taken[Share(kind: kind, owner: owner)] = taken + weight
        }
        state.free[kind] = count - weight
        return .taken
      }
    }

    /// - Parameters:
    ///   - weight: How many; negative for places that are taken although there may be none.
    ///   - owner: As it was taken.
    func free(_ kind: Class, _ weight: Int = 1, owner: String? = nil) {
      state.withLock { state in
        state.free[kind, default: 0] += weight
        guard let owner, limits[kind]?.perOwner != nil else { return }
        let count = state.taken[Share(kind: kind, owner: owner), default: 0] - weight
        state.taken[Share(kind: kind, owner: owner)] = count > 0 ? count : nil
      }
    }
  }

  /// The places of a request, which are freed once: when it ends, at the end of its body, or when its answer is dropped unwritten.
  final class Slot: Sendable {
    private let slots: Slots
    private let kind: Class
    private let owner: String?
    /// How many it still has.
    private let taken: Locked<Int>

    init(_ slots: Slots, _ kind: Class, _ weight: Int, owner: String?) {
      (self.slots, self.kind, self.owner) = (slots, kind, owner)
      taken = Locked(weight)
    }

    func free() { resize(to: 0) }

    /// Frees the places beyond a number, or takes the missing ones also if there are not as many: what they stand for is used already.
    func resize(to count: Int) {
      let freed = taken.withLock { taken in
        defer { taken = count }
        return taken - count
      }
      slots.free(kind, freed, owner: owner)
    }

    deinit { free() }
  }
}
