public import MediaModel

extension MediaEngine {
  /// The results of a sequence of inputs, in their order, with a limited number in progress. For one reader.
  public struct OrderedResults<Value: Sendable>: AsyncSequence, Sendable {
    /// What one input leads to. A failed input is a value, so that the others still follow.
    public typealias Element = Result<Value, MediaFailure>
    /// The error of the sequence of inputs.
    public typealias Failure = any Error

    private let stream: AsyncThrowingStream<Started<Element>, any Error>
    private let window: Window
    private let reader: Reader<Element>

    init<Inputs: AsyncSequence & Sendable>(
      of inputs: Inputs, window size: Int, work: @escaping @Sendable (Inputs.Element) async -> Element
    ) where Inputs.Element: Sendable {
      let window = Window(size)
      self.window = window
      let begun = RunningTasks<Element>()
      reader = Reader(begun: begun)
      stream = AsyncThrowingStream { continuation in
        let feeder = Task {
          var number = 0
          do {
            for try await input in inputs {
              await window.enter()
              if Task.isCancelled { break }
              number += 1
              continuation.yield(begun.start(number) { await work(input) })
            }
            continuation.finish()
          } catch {
            continuation.finish(throwing: error)
          }
        }
        continuation.onTermination = { end in
          // The feeder has finished, and the reader may still be reading.
          if case .cancelled = end { begun.cancelAll() }
          feeder.cancel()
          Task { await window.open() }
        }
      }
    }

    /// The only iterator: the sequence has one reader.
    public func makeAsyncIterator() -> Iterator {
      Iterator(tasks: stream.makeAsyncIterator(), window: window, reader: reader)
    }

    /// Waits for the results in the order of the inputs.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var tasks: AsyncThrowingStream<Started<Element>, any Error>.Iterator
      fileprivate let window: Window
      fileprivate let reader: Reader<Element>

      /// The next result; nil after the last.
      public mutating func next() async throws -> Element? {
        guard let started = try await tasks.next(isolation: #isolation) else { return nil }
        let result = await withTaskCancellationHandler {
          await started.task.value
        } onCancel: {
          started.task.cancel()
        }
        reader.begun.remove(started.number)
        await window.leave()
        return result
      }
    }
  }
}

/// Work on one input that has begun.
private struct Started<Value: Sendable>: Sendable {
  let number: Int
  let task: Task<Value, Never>
}

/// Work that has begun and whose result was not taken.
private final class RunningTasks<Value: Sendable>: Sendable {
  /// nil after the reader has gone.
  private let tasks = Locked<[Int: Task<Value, Never>]?>([:])

  func start(_ number: Int, _ work: @escaping @Sendable () async -> Value) -> Started<Value> {
    let task = Task { await work() }
    let isRead = tasks.withLock { tasks in
      tasks?[number] = task
      return tasks != nil
    }
    if !isRead { task.cancel() }
    return Started(number: number, task: task)
  }

  func remove(_ number: Int) { tasks.withLock { _ = $0?.removeValue(forKey: number) } }

  func cancelAll() {
    let left = tasks.withLock { tasks in
      defer { tasks = nil }
      return tasks ?? [:]
    }
    for task in left.values { task.cancel() }
  }
}

/// Ends the work in progress when the results and their iterators are gone.
private final class Reader<Value: Sendable>: Sendable {
  let begun: RunningTasks<Value>

  init(begun: RunningTasks<Value>) { self.begun = begun }

  deinit { begun.cancelAll() }
}

/// Limits the number of inputs in progress.
private actor Window {
  private var free: Int
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ size: Int) { free = size }

  func enter() async {
    if isOpen { return }
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }

  /// Ends counting: waiting callers continue, and see that reading has ended.
  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
