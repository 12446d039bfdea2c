internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A catalogue for callers that must not block") struct AsyncCatalogueTests {
  private let test: TestLibrary

  init() throws {
    test = try TestLibrary()
    try test.catalogue.apply((1...3).map { TestLibrary.done("/r/\($0).jpg", inode: UInt64($0), taken: $0) })
  }

  @Test("While all threads block in the catalogue, other tasks run, and at most the limit of calls have begun")
  func saturated() async throws {
    // Twice what Swift's own pool has: blocked there, nothing would go on.
    let limit = 2 * ProcessInfo.processInfo.activeProcessorCount
    let catalogue = AsyncCatalogue(test.catalogue, on: BlockingThreads(limit: limit))
    let gate = Gate()
    let calls = (0..<3 * limit).map { _ in
      Task {
        try await catalogue.call { catalogue in
          gate.pass()
          return try catalogue.counts(in: .all).reduce(0) { $0 + $1.files }
        }
      }
    }
    await gate.waitUntilEntered(limit)
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...1_000 {
        group.addTask {
          await Task.yield()
          return number
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 500_500)
    #expect(gate.entered == limit)
    gate.open()
    for call in calls { #expect(try await call.value == 3) }
    #expect(gate.entered == 3 * limit)
    #expect(gate.maxInside == limit)
    #expect(!gate.hasTimedOut)
  }

  @Test("A call whose task is cancelled while it waits for a thread is never made") func cancelled() async throws {
    let threads = BlockingThreads(limit: 1)
    let catalogue = AsyncCatalogue(test.catalogue, on: threads)
    let gate = Gate()
    let first = Task {
      try await catalogue.call { catalogue in
        gate.pass()
        return try catalogue.counts(in: .all).count
      }
    }
    await gate.waitUntilEntered(1)
    let second = Task { try await catalogue.call { _ in gate.pass() } }
    let third = Task { try await catalogue.newest(.all, after: nil, limit: 9).files.count }
    while threads.waiting < 2 { await Task.yield() }
    second.cancel()
    // Before the gate is open: it is not the thread that says so.
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(threads.waiting == 1)
    first.cancel()
    gate.open()
    #expect(try await first.value == 1, "what has begun is finished")
    #expect(try await third.value == 3)
    #expect(gate.entered == 1)
    #expect(!gate.hasTimedOut)
  }

  @Test("A call that finds the queue full fails at once with its code, and the others are made") func full()
    async throws
  {
    let threads = BlockingThreads(limit: 1, maxWaiting: 2)
    let catalogue = AsyncCatalogue(test.catalogue, on: threads)
    let gate = Gate()
    let first = Task { try await catalogue.call { _ in gate.pass() } }
    await gate.waitUntilEntered(1)
    let others = (0..<2).map { _ in Task { try await catalogue.newest(.all, after: nil, limit: 9).files.count } }
    while threads.waiting < 2 { await Task.yield() }
    await #expect { try await catalogue.newest(.all, after: nil, limit: 9) } throws: {
      ($0 as? LibraryError)?.code == .busy
    }
    #expect(threads.waiting == 2)
    others[0].cancel()
    await #expect(throws: CancellationError.self) { try await others[0].value }
    // Its place is free again.
    let last = Task { try await catalogue.newest(.all, after: nil, limit: 9).files.count }
    while threads.waiting < 2 { await Task.yield() }
    gate.open()
    try await first.value
    #expect(try await others[1].value == 3)
    #expect(try await last.value == 3)
    #expect(try await catalogue.newest(.all, after: nil, limit: 9).files.count == 3)
  }

  @Test("Without a queue as many calls are made as there are threads") func noQueue() async throws {
    let catalogue = AsyncCatalogue(test.catalogue, on: BlockingThreads(limit: 2, maxWaiting: 0))
    let gate = Gate()
    let calls = (0..<2).map { _ in Task { try await catalogue.call { _ in gate.pass() } } }
    await gate.waitUntilEntered(2)
    await #expect { try await catalogue.counts(in: .all) } throws: { ($0 as? LibraryError)?.code == .busy }
    gate.open()
    for call in calls { try await call.value }
  }

  @Test("While a change blocks and others wait for it, listings and bytes are answered") func groups() async throws {
    let library = AsyncLibrary(test.library, writing: BlockingThreads(limit: 1, maxWaiting: 1))
    let gate = Gate()
    let erasing = Task { try await library.catalogue.change { _ in gate.pass() } }
    await gate.waitUntilEntered(1)
    let id = try test.id("/r/1.jpg")
    let waiting = Task { try await library.catalogue.setText(of: id, title: "one", caption: nil) }
    while library.writing.waiting < 1 { await Task.yield() }
    await #expect { try await library.erase(.file(id)) } throws: { ($0 as? LibraryError)?.code == .busy }
    #expect(try await library.catalogue.newest(.all, after: nil, limit: 9).files.count == 3)
    let address = try await library.putRendition([1, 2, 3])
    #expect(try await library.rendition(address) == [1, 2, 3])
    gate.open()
    try await erasing.value
    try await waiting.value
    #expect(try await library.catalogue.file(id)?.title == "one")
    #expect(!gate.hasTimedOut)
  }

  @Test("A library answers everything without blocking, and ends when it is closed") func wholeLibrary() async throws {
    let library = AsyncLibrary(test.library)
    let upload = try test.folder.write([9, 9], to: "upload")
    let stamp = try await library.keepOriginal(at: PathBytes(upload), owner: "ann")
    #expect(FileManager.default.fileExists(atPath: stamp.path.description))
    try await library.save(AttachmentDraft(text: "look"), for: .thread("t"))
    #expect(try await library.draft(for: .thread("t"))?.text == "look")
    #expect(try await library.onDrafts { try $0.keys() } == [.thread("t")])
    #expect(try await library.verify().problems == ["originalOrphan": 1])
    #expect(try await library.erase(.file(test.id("/r/2.jpg"))).isWiped)
    #expect(try await library.wipe())
    await #expect { try await library.backUp() } throws: { ($0 as? LibraryError)?.code == .invalidRequest }
    try await library.close()
    await #expect { try await library.catalogue.counts(in: .all) } throws: { ($0 as? LibraryError)?.code == .closed }
  }

  @Test("A cancelled task makes no call") func cancelledBefore() async throws {
    let catalogue = AsyncCatalogue(test.catalogue)
    let gate = Gate(isOpen: true)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await catalogue.call { _ in gate.pass() }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(gate.entered == 0)
  }

  @Test("The calls return what the blocking ones return, and throw the same errors") func answers() async throws {
    let catalogue = AsyncCatalogue(test.catalogue, on: BlockingThreads(limit: 2))
    let page = try await catalogue.newest(.photosAndVideos, after: nil, limit: 2)
    #expect(page.files.map(\.path) == ["/r/3.jpg", "/r/2.jpg"])
    let id = page.files[0].id
    try await catalogue.assign([id], owner: "ann", collection: .none)
    #expect(try await catalogue.search("3", in: .owner("ann"), after: nil, limit: 9).files.map(\.id) == [id])
    #expect(try await catalogue.counts(in: .owner("ann")).map(\.files) == [1])
    #expect(try await catalogue.file(at: PathBytes("/r/1.jpg"))?.time == 1)
    await #expect(throws: LibraryError.self) {
      try await catalogue.newest(.all, after: CatalogueFile.Cursor(rawValue: "x"), limit: 9)
    }
  }
}

/// Where calls wait until the test lets them go. After a quarter of an hour all may: a test that is wrong ends all the same.
private final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  // All touched under the condition's lock alone, which is what makes the class Sendable.
  private var isOpen: Bool
  private var count = 0
  private var inside = 0
  private var most = 0
  private var timedOut = false

  init(isOpen: Bool = false) { self.isOpen = isOpen }

  var entered: Int { withLock { count } }
  var maxInside: Int { withLock { most } }
  var hasTimedOut: Bool { withLock { timedOut } }

  func pass() {
    withLock {
      count += 1
      inside += 1
      most = max(most, inside)
      condition.broadcast()
      // Tests that run beside this one hold the threads of Swift's pool, on a slow machine for minutes.
      let end = Date(timeIntervalSinceNow: 900)
      while !isOpen {
        if condition.wait(until: end) { continue }
        (isOpen, timedOut) = (true, true)
        condition.broadcast()
      }
      inside -= 1
    }
  }

  func open() {
    withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  /// Waits on a thread of its own: those of Swift's pool are for the tasks.
  func waitUntilEntered(_ number: Int) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        withLock { while count < number, !timedOut { condition.wait() } }
        continuation.resume()
      }
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}
