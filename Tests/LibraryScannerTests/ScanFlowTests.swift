internal import Dispatch
internal import FileSupport
internal import Foundation
internal import Glibc
internal import LibraryScanner
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Back-pressure, cancellation and progress of a scan", .timeLimit(.minutes(20))) struct ScanFlowTests {
  /// A tree of so many files in a few folders.
  private func makeTree(_ count: Int) throws -> ScannedTree {
    var tree = try ScannedTree()
    for number in 0..<count { try tree.write("text \(number)", to: "\(number % 7)/\(number)") }
    (tree.options.jobs, tree.options.maxPendingEvents) = (2, 4)
    return tree
  }

  @Test("A reader that is slower than the scan stops it within the limit, and the scan continues when the reader does")
  func backPressure() async throws {
    var tree = try makeTree(200)
    let (stalls, stall) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (taken, farthest) = (Locked(0), Locked(0))
    tree.options.willWaitForReader = { stall.yield() }
    tree.executor.willRead { [executor = tree.executor] in
      let read = executor.read
      let ahead = read - taken.withLock { $0 }
      farthest.withLock { $0 = max($0, ahead) }
      // From now on nothing waits for the reader any more.
      if read == 200 { stall.finish() }
    }
    var stalled = stalls.makeAsyncIterator()
    var files = 0
    for try await batch in tree.scan.batches {
      for case .file in batch { files += 1 }
      taken.withLock { $0 = files }
      // The scan runs as far ahead as it can.
      _ = await stalled.next()
    }
    #expect(files == 200)
    #expect(tree.executor.read == 200)
    // Four times what may be pending, and those under way.
    #expect(farthest.withLock { $0 } <= 4 * tree.options.maxPendingEvents + 4)
  }

  @Test("A blocked content is looked up before it is decoded; a scan after the block makes its images")
  func blocked() async throws {
    var tree = try ScannedTree()
    tree.options.digest = true
    try tree.write("seen", to: "a.txt")
    try tree.write("other", to: "b.txt")
    try await tree.run()
    let content = try #require(try tree.library.catalogue.file(at: tree.path("a.txt"))?.digest)
    try tree.library.moderation.block(content, reason: "law", by: "mod", at: 1)
    try tree.write("seen", to: "c.txt")
    tree.options.renditions = ["grid"]
    let before = tree.executor.read
    try await tree.run()
    #expect(tree.executor.read - before == 3, "facts and images of b, facts of c")
    #expect(try tree.library.catalogue.file(at: tree.path("c.txt"))?.state == .quarantined)
    try tree.library.moderation.unblock(content, by: "mod", at: 2)
    let blocked = tree.executor.read
    try await tree.run()
    #expect(tree.executor.read - blocked >= 2)
    #expect(try tree.library.catalogue.file(at: tree.path("c.txt"))?.state == .done)
    let complete = tree.executor.read
    try await tree.run()
    #expect(tree.executor.read == complete, "nothing is missing")
  }

  @Test("A cancelled scan commits and reports everything that was finished; the next scan does the rest")
  func cancellation() async throws {
    var tree = try makeTree(120)
    let scan = tree.scan
    let reader = Task { () throws -> (paths: [PathBytes], isComplete: Bool?) in
      var (paths, isComplete): ([PathBytes], Bool?) = ([], nil)
      for try await event in scan {
        if case .file(let file) = event { paths.append(file.path) }
        if case .finished(_, let complete) = event { isComplete = complete }
        if paths.count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return (paths, isComplete)
    }
    let first = try await reader.value
    #expect(first.isComplete == false)
    #expect(first.paths.count >= 10)
    #expect(first.paths.count < 120)
    // Every event is a row, and every row was an event.
    let rows = try rows(of: tree)
    #expect(Set(rows.keys) == Set(first.paths))
    #expect(try tree.library.scanIndex.lastScan()?.finished == nil)

    try await tree.run()
    #expect(tree.isComplete)
    #expect(Set(tree.files.map(\.path)).isDisjoint(with: first.paths))
    #expect(tree.files.count + first.paths.count == 120)
    #expect(try tree.kept() == tree.present())
    // The same rows, with nothing done twice.
    #expect(try self.rows(of: tree).filter { rows[$0.key] != nil } == rows)
    #expect(tree.executor.read == 120)
    #expect(try tree.library.scanIndex.lastScan()?.finished != nil)
  }

  private func rows(of tree: ScannedTree) throws -> [PathBytes: FileID] {
    let files = try tree.library.catalogue.files(under: PathBytes(tree.root), after: nil, limit: 1_000).files
    return Dictionary(uniqueKeysWithValues: files.map { ($0.stamp.path, $0.id) })
  }

  @Test("Leaving the loop stops the scan, and files in progress are committed") func leaving() async throws {
    var tree = try makeTree(200)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    tree.options.didEnd = { end.finish() }
    for try await event in tree.scan { if case .file = event { break } }
    for await _ in ends {}
    let read = tree.executor.read
    #expect(read < 200)
    #expect(try rows(of: tree).count == read)
    try await tree.run()
    #expect(tree.files.count == 200 - read)
    #expect(try tree.kept() == tree.present())
  }

  @Test("A shut-down engine ends the scan, and no file fails because of it") func shutdown() async throws {
    let tree = try makeTree(200)
    let engine = tree.engine
    var files = 0
    do throws(MediaScanner.Failure) {
      for try await event in tree.scan {
        if case .file = event { files += 1 }
        if files == 5 { await engine.shutdown() }
      }
      Issue.record("nothing was thrown")
    } catch {
      guard case .engine = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(files < 200)
    #expect(try rows(of: tree).count == files)
    #expect(try tree.library.catalogue.failures(code: nil, after: nil, limit: 10).files.isEmpty)
  }

  @Test("Progress is reported during a slow file, with the result of the count ahead") func progress() async throws {
    var tree = try makeTree(3)
    tree.options.progressInterval = .milliseconds(1)
    tree.options.countsAhead = true
    let gate = DispatchSemaphore(value: 0)
    tree.executor.willRead { gate.wait() }
    var phases: Set<MediaScan.Progress.Phase> = []
    for try await event in tree.scan {
      guard case .progress(let progress) = event else { continue }
      phases.insert(progress.phase)
      #expect(progress.seconds > 0)
      // Without this nothing is ever read.
      if progress.isCounted, progress.expected.files == 3 { gate.signal() }
    }
    #expect(phases == [.scanning])
  }

  @Test("R-TRAY-21: a watch reports files that are added and removed, and ends when it is cancelled") func watch()
    async throws
  {
    var tree = try makeTree(3)
    tree.options.watch = true
    let (scan, root) = (tree.scan, tree.root)
    let reader = Task { () throws -> (states: [MediaScan.Event.File.State], isComplete: Bool?) in
      var (states, isComplete): ([MediaScan.Event.File.State], Bool?) = ([], nil)
      for try await event in scan {
        switch event {
        case .watching(let folders):
          // The three folders with files, and the one above them.
          #expect(folders.watched == 4)
          #expect(states == [.new, .new, .new])
          try Data("late".utf8).write(to: URL(fileURLWithPath: root + "/1/late"))
        case .file(let file):
          states.append(file.state)
          if states.count == 4 { #expect(unlink(root + "/1/late") == 0) }
          if states.count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
        case .finished(_, let complete): isComplete = complete
        case .problem, .progress: break
        }
      }
      return (states, isComplete)
    }
    let reported = try await reader.value
    #expect(reported.states == [.new, .new, .new, .new, .vanished])
    #expect(reported.isComplete == true)
    #expect(try tree.kept() == tree.present())
  }

  @Test("Batches have the same events as the scan, and none is empty") func batches() async throws {
    let tree = try makeTree(50)
    var files = 0
    for try await batch in tree.scan.batches {
      #expect(!batch.isEmpty)
      #expect(batch.count <= tree.options.maxPendingEvents + 1)
      for case .file in batch { files += 1 }
    }
    #expect(files == 50)
  }
}
