internal import Dispatch
internal import Foundation
internal import MediaEngine
internal import TestSupport
internal import Testing

@Suite("Workers that deliver as results come") struct UnorderedWorkersTests {
  private struct Refusal: Error, Equatable { let number: Int }

  @Test("Every result is delivered once, and no more items are held than the window", arguments: 1...20)
  func all(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...200, using: &generator)
    let window = Int.random(in: 9...40, using: &generator)
    let numbers = OrderedWorkersTests.Numbers(count)
    var delivered: [Int] = []
    try UnorderedWorkers(jobs: .random(in: 1...9, using: &generator), window: window).run(
      stop: StopSignal(), next: numbers.next, work: { $0 * 3 },
      deliver: { number, result in
        #expect(result == number * 3)
        #expect(numbers.given - delivered.count <= window)
        delivered.append(number)
      })
    #expect(delivered.sorted() == Array(0..<count))
  }

  @Test("A slow item holds up its own result alone") func slow() throws {
    let rest = DispatchSemaphore(value: 0)
    var delivered: [Int] = []
    try UnorderedWorkers(jobs: 2, window: 4).run(
      stop: StopSignal(), next: OrderedWorkersTests.Numbers(20).next,
      work: { number in
        if number == 0 { for _ in 0..<19 { rest.wait() } }
        return number
      },
      deliver: { number, _ in
        delivered.append(number)
        rest.signal()
      })
    #expect(delivered.last == 0)
    #expect(delivered.count == 20)
  }

  @Test("An error of delivery or of the items ends the run and is thrown") func errors() throws {
    #expect(throws: Refusal(number: 5)) {
      try UnorderedWorkers(jobs: 1).run(
        stop: StopSignal(), next: OrderedWorkersTests.Numbers(1_000_000).next, work: { $0 },
        deliver: { number, _ in if number == 5 { throw Refusal(number: number) } })
    }
    let numbers = OrderedWorkersTests.Numbers(7)
    var delivered: [Int] = []
    #expect(throws: Refusal(number: 7)) {
      try UnorderedWorkers(jobs: 3).run(
        stop: StopSignal(),
        next: {
          guard let number = numbers.next() else { throw Refusal(number: 7) }
          return number
        },
        work: { $0 }, deliver: { number, _ in delivered.append(number) })
    }
    #expect(delivered.sorted() == Array(0..<7))
  }

  @Test("A stop begins nothing more, and finishes what was begun") func stop() throws {
    let stop = try StopSignal()
    var delivered = 0
    try UnorderedWorkers(jobs: 2, window: 4).run(
      stop: stop, next: OrderedWorkersTests.Numbers(1_000_000).next, work: { $0 },
      deliver: { _, _ in
        delivered += 1
        if delivered == 10 { stop.request() }
      })
    #expect(delivered >= 10)
    #expect(delivered <= 14)
  }

  @Test("A stop while the window is full of items that nobody has begun ends the run") func stopAtFullWindow() throws {
    let stop = try StopSignal()
    let numbers = OrderedWorkersTests.Numbers(1_000_000)
    let stopped = DispatchSemaphore(value: 0)
    var delivered = 0
    try UnorderedWorkers(jobs: 1, window: 4).run(
      stop: stop,
      next: {
        let number = numbers.next()
        // The window is full with this one, and the worker still has the first.
        if number == 3 {
          stop.request()
          stopped.signal()
        }
        return number
      },
      work: { number in
        if number == 0 { stopped.wait() }
        return number
      },
      deliver: { _, _ in delivered += 1 })
    #expect(delivered <= 4)
  }
}
