internal import Synchronization

/// A sum that several tasks add to.
final class Counted: Sendable {
  private let value = Atomic<Int>(0)

  var sum: Int { value.load(ordering: .sequentiallyConsistent) }
  func add(_ amount: Int) { value.add(amount, ordering: .sequentiallyConsistent) }
}
