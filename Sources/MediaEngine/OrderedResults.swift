public import MediaModel

/// What comes of a sequence of inputs, in their order, with a bounded number of them under way. For one reader.
public struct OrderedResults<Value: Sendable>: AsyncSequence, Sendable {
  /// What came of one input.
  public typealias Element = Result<Value, MediaFailure>
  /// What the sequence of inputs threw.
  public typealias Failure = any Error

  private let stream: AsyncThrowingStream<Task<Element, Never>, any Error>
  private let window: Window

  init<Inputs: AsyncSequence & Sendable>(
    of inputs: Inputs, window size: Int, work: @escaping @Sendable (Inputs.Element) async -> Element
  ) where Inputs.Element: Sendable {
    let window = Window(size)
    self.window = window
    stream = AsyncThrowingStream { continuation in
      let feeder = Task {
        do {
          for try await input in inputs {
            await window.enter()
            if Task.isCancelled { break }
            let task = Task { await work(input) }
            // Nobody reads any more: what was begun is given up.
            if case .terminated = continuation.yield(task) { task.cancel() }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        feeder.cancel()
        Task { await window.open() }
      }
    }
  }

  /// Takes the results one after another.
  public func makeAsyncIterator() -> Iterator { Iterator(tasks: stream.makeAsyncIterator(), window: window) }

  /// Takes the results one after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var tasks: AsyncThrowingStream<Task<Element, Never>, any Error>.Iterator
    fileprivate let window: Window

    /// The next result; nil after the last.
    public mutating func next() async throws -> Element? {
      guard let task = try await tasks.next(isolation: #isolation) else { return nil }
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      await window.leave()
      return result
    }
  }
}

/// Lets so many in at once.
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

  /// Nobody counts any more: whoever waits goes on, and sees that it is over.
  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
