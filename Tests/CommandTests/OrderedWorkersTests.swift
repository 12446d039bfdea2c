internal import Dispatch
internal import Foundation
internal import MediaEngine
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Workers that deliver in order") struct OrderedWorkersTests {
  struct Refusal: Error, Equatable { let number: Int }

  /// Gives 0, 1, 2… up to a count.
  final class Numbers: Sendable {
    private let state: Locked<Int>
    private let count: Int
    init(_ count: Int) {
      self.count = count
      state = Locked(0)
    }
    var given: Int { state.withLock { $0 } }
    func next() -> Int? {
      state.withLock { given in
        guard given < count else { return nil }
        given += 1
        return given - 1
      }
    }
  }

  /// Lets begun work end in a random order: a stand-in for work of random length that takes no time.
  final class Gates: Sendable {
    private let gates: [DispatchSemaphore]
    private let arrived = DispatchSemaphore(value: 0)
    private let waiting = Locked<[Int]>([])

    init(_ count: Int) { gates = (0..<count).map { _ in DispatchSemaphore(value: 0) } }

    func pass(_ number: Int) {
      waiting.withLock { $0.append(number) }
      arrived.signal()
      gates[number].wait()
    }

    /// Opens all gates, each time one of those that are waited at.
    func openInAnyOrder(seed: UInt64) {
      Thread.detachNewThread { [self] in
        var generator = SeededGenerator(seed: seed)
        for _ in gates.indices {
          arrived.wait()
          let number = waiting.withLock { waiting in
            waiting.remove(at: Int.random(in: waiting.indices, using: &generator))
          }
          gates[number].signal()
        }
      }
    }
  }

  @Test(arguments: 1...40)
  func `Every result is delivered once and in order`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...200, using: &generator)
    let workers = OrderedWorkers(
      jobs: .random(in: 1...9, using: &generator), window: .random(in: 1...40, using: &generator))
    let numbers = Numbers(count)
    let gates = Gates(count)
    gates.openInAnyOrder(seed: seed)
    let running = Atomic<Int>(0)
    let maxRunning = Atomic<Int>(0)
    var delivered: [Int] = []
    var maxHeld = 0
    try workers.run(
      stop: StopSignal(), next: numbers.next,
      work: { number in
        maxRunning.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        gates.pass(number)
        running.subtract(1, ordering: .relaxed)
        return number * 3
      },
      deliver: { number, result in
        #expect(result == number * 3)
        maxHeld = max(maxHeld, numbers.given - delivered.count)
        delivered.append(number)
      })
    #expect(delivered == Array(0..<count))
    #expect(maxRunning.load(ordering: .relaxed) <= workers.jobs)
    #expect(maxHeld <= workers.window)
    #expect(numbers.given == count)
  }

  @Test func `A slow first item delays its successors, and no more of them than the window`() throws {
    let workers = OrderedWorkers(jobs: 3, window: 10)
    let numbers = Numbers(50)
    let finished = DispatchSemaphore(value: 0)
    var delivered: [Int] = []
    let first = Locked<[Int]>([])
    try workers.run(
      stop: StopSignal(), next: numbers.next,
      work: { number in
        if number == 0 {
          // All others that fit into the window are done before it.
          for _ in 1..<10 { finished.wait() }
          first.withLock { $0.append(numbers.given) }
        }
        finished.signal()
        return number
      },
      deliver: { number, _ in delivered.append(number) })
    #expect(delivered == Array(0..<50))
    #expect(first.withLock { $0 } == [10])
  }

  @Test func `Results are delivered while the next item is waited for`() throws {
    let workers = OrderedWorkers(jobs: 2)
    let delivered = DispatchSemaphore(value: 0)
    let given = Locked(0)
    var count = 0
    // Asks for an answer before it gives the next item, as a program does that talks with the command.
    try workers.run(
      stop: StopSignal(),
      next: {
        let number = given.withLock { given in
          given += 1
          return given
        }
        if number > 1 { delivered.wait() }
        return number <= 20 ? number : nil
      }, work: { $0 },
      deliver: { _, _ in
        count += 1
        delivered.signal()
      })
    #expect(count == 20)
  }

  @Test(arguments: 1...30)
  func `A stop delivers what was begun and begins nothing more`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let workers = OrderedWorkers(jobs: .random(in: 1...6, using: &generator))
    let last = Int.random(in: 0...60, using: &generator)
    let stop = try StopSignal()
    let begun = Locked<Set<Int>>([])
    var delivered: [Int] = []
    try workers.run(
      stop: stop, next: Numbers(.max).next,
      work: { number in
        begun.withLock { _ = $0.insert(number) }
        if number == last { stop.request() }
        return number
      }, deliver: { number, _ in delivered.append(number) })
    #expect(delivered == Array(delivered.indices))
    #expect(begun.withLock { $0 } == Set(delivered))
    #expect(delivered.last ?? -1 >= last)
  }

  @Test func `A stop ends waiting for the next item`() throws {
    let stop = try StopSignal()
    // Standard input of a test has nothing to say here; the stop's own pipe has neither, until it is requested.
    let reader = Locked(DescriptorReader(descriptor: stop.descriptor, stop: stop))
    var delivered: [Int] = []
    let given = Locked(false)
    try OrderedWorkers(jobs: 2).run(
      stop: stop,
      next: {
        if given.withLock({ given in
          defer { given = true }
          return !given
        }) {
          return 1
        }
        guard case .stopped = reader.withLock({ $0.read() }) else { return 2 }
        return nil
      }, work: { $0 },
      deliver: { number, _ in
        delivered.append(number)
        stop.request()
      })
    #expect(delivered == [1])
  }

  @Test func `An error of the delivery ends the run`() throws {
    let numbers = Numbers(.max)
    var delivered: [Int] = []
    #expect(throws: Refusal(number: 5)) {
      try OrderedWorkers(jobs: 4).run(stop: try StopSignal(), next: numbers.next, work: { $0 }) { number, _ in
        if number == 5 { throw Refusal(number: number) }
        delivered.append(number)
      }
    }
    #expect(delivered == [0, 1, 2, 3, 4])
    // Nobody asks any more: the run and its threads are over.
    let given = numbers.given
    #expect(given <= 5 + 1 + 16)
  }

  @Test func `An error of the next item is thrown after all before it are delivered`() throws {
    let numbers = Numbers(30)
    var delivered: [Int] = []
    #expect(throws: Refusal(number: 30)) {
      try OrderedWorkers(jobs: 4).run(
        stop: try StopSignal(),
        next: {
          guard let number = numbers.next() else { throw Refusal(number: 30) }
          return number
        }, work: { $0 }
      ) { number, _ in delivered.append(number) }
    }
    #expect(delivered == Array(0..<30))
  }
}
