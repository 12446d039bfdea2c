internal import FileSupport
internal import Foundation
internal import Glibc
internal import LibraryScanner
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("The events of a scan") struct ScanEventTests {
  @Test("Each file is one event, sent after its commit, and the totals come last")
  func events() async throws {
    let tree = try ScannedTree()
    for name in ["a", "b/1", "b/2"] { try tree.write("text \(name)", to: name) }
    try tree.write("fail corrupt", to: "c")
    var names: Set<String> = []
    var last: MediaScan.Event?
    for try await event in tree.scan {
      last = event
      guard case .file(let file) = event else { continue }
      names.insert(tree.name(file))
      #expect(file.state == .new)
      #expect(file.stamp == FileStamp(at: file.path))
      let kept = try #require(try tree.library.catalogue.file(at: file.path))
      #expect(kept.failure == file.failure)
      #expect(try kept.info()?.title == file.info?.title)
      #expect(file.failure?.code == (tree.name(file) == "c" ? .corrupt : nil))
    }
    #expect(names == ["a", "b/1", "b/2", "c"])
    guard case .finished(let totals, isComplete: true) = last else {
      Issue.record("the last event is \(String(describing: last))")
      return
    }
    #expect(totals.all.files == 4)
    #expect(totals.states.mapValues(\.files) == [.new: 4])
    #expect(totals.failures == [.corrupt: 1])
    #expect(totals.kinds[.text]?.files == 4)
  }

  @Test("Unchanged files are counted, and have events only if requested") func unchanged() async throws {
    var tree = try ScannedTree()
    for name in ["a", "b/1"] { try tree.write(name, to: name) }
    try await tree.run()
    try await tree.run()
    #expect(tree.files.isEmpty)
    #expect(tree.totals?.states[.unchanged]?.files == 2)
    tree.options.reportsUnchanged = true
    try await tree.run()
    #expect(tree.files.map(\.state) == [.unchanged, .unchanged])
    #expect(tree.files.map(\.path) == [tree.path("a"), tree.path("b/1")])
  }

  @Test("Moved, removed, changed and linked files have events with their state") func changes() async throws {
    var tree = try ScannedTree()
    for name in ["a", "b", "c", "d"] { try tree.write(name, to: name) }
    try await tree.run()
    #expect(rename(tree.root + "/a", tree.root + "/moved") == 0)
    #expect(unlink(tree.root + "/b") == 0)
    try tree.write("longer", to: "c")
    #expect(link(tree.root + "/d", tree.root + "/e") == 0)
    try await tree.run()
    let files = Dictionary(uniqueKeysWithValues: tree.files.map { (tree.name($0), $0) })
    #expect(files.mapValues(\.state) == ["moved": .moved, "b": .vanished, "c": .changed, "e": .linked])
    #expect(files["moved"]?.other == tree.path("a"))
    #expect(files["moved"]?.stamp == FileStamp(at: tree.path("moved")))
    #expect(files["e"]?.other == tree.path("d"))
    #expect(files["c"]?.info?.title == "longer")
    #expect(try tree.kept() == tree.present())
  }

  @Test("A failed file is tried again if its code is requested, and its attempts are counted") func retry() async throws
  {
    var tree = try ScannedTree()
    try tree.write("fail corrupt", to: "a")
    try tree.write("fail truncated", to: "b")
    try await tree.run()
    try await tree.run()
    #expect(tree.files.isEmpty)
    tree.options.retry = [.corrupt]
    try await tree.run()
    #expect(tree.examined == ["a"])
    #expect(tree.files.map(\.state) == [.retried])
    let failures = try tree.library.catalogue.failures(code: nil, after: nil, limit: 10).files
    #expect(
      Set(failures.map { "\($0.stamp.path.name.count) \($0.failure?.code.rawValue ?? "") \($0.attempts)" })
        == ["1 corrupt 2", "1 truncated 1"])
  }

  @Test("A failure is tried again with other versions of the decoders") func otherEngine() async throws {
    var tree = try ScannedTree()
    try tree.write("fail corrupt", to: "a")
    try await tree.run()
    let scanner = MediaScanner(library: tree.library, engine: try ContentExecutor(version: "2").engine())
    var states: [MediaScan.Event.File.State] = []
    for try await event in scanner.scan([PathBytes(tree.root)]) {
      if case .file(let file) = event { states.append(file.state) }
    }
    #expect(states == [.retried])
  }

  @Test("No engine is started for a known failure, unless the decoders are known to have another version")
  func knownVersion() async throws {
    var tree = try ScannedTree()
    try tree.write("fail corrupt", to: "a")
    try await tree.run()
    let other = try ContentExecutor(version: "2").engine()
    for (version, expected) in [("content 1", 0), ("content 2", 1)] {
      let starts = Locked(0)
      let engine = LazyEngine {
        version
      } start: { () throws(MediaEngine.StartFailure) in
        starts.withLock { $0 += 1 }
        return other
      }
      var states: [MediaScan.Event.File.State] = []
      let scan = MediaScanner(library: tree.library, engine: engine, jobs: 1).scan([PathBytes(tree.root)])
      for try await event in scan {
        if case .file(let file) = event { states.append(file.state) }
      }
      #expect(starts.withLock { $0 } == expected)
      #expect(states == Array(repeating: .retried, count: expected))
    }
  }

  @Test("A missing folder is a problem, and the other folders are scanned") func missing() async throws {
    let tree = try ScannedTree()
    try tree.write("a", to: "a")
    var problems: [MediaScan.Event.Problem] = []
    var files = 0
    for try await event in tree.scanner.scan([PathBytes(tree.root + "/none"), PathBytes(tree.root)]) {
      if case .problem(let problem) = event { problems.append(problem) }
      if case .file = event { files += 1 }
    }
    #expect(problems.map(\.failure.code) == [.notFound])
    #expect(problems.allSatisfy { $0.isFolder && $0.path == tree.path("none") })
    #expect(files == 1)
  }

  @Test("Patterns exclude files, and hidden files are skipped") func filters() async throws {
    var tree = try ScannedTree()
    for name in ["a.jpg", "b.txt", "c/d.jpg", ".hidden.jpg"] { try tree.write(name, to: name) }
    tree.options.include = try [#require(MediaScanner.Options.Pattern("*.jpg"))]
    tree.options.exclude = try [#require(MediaScanner.Options.Pattern("c/"))]
    try await tree.run()
    #expect(tree.examined == ["a.jpg"])
    #expect(tree.totals?.skipped.ignored == 2)
    (tree.options.hidden, tree.options.exclude) = (true, [])
    try await tree.run()
    #expect(tree.examined == [".hidden.jpg", "c/d.jpg"])
    #expect(MediaScanner.Options.Pattern("# a comment") == nil)
  }

  @Test("The newest files come first") func newestFirst() async throws {
    var tree = try ScannedTree()
    for number in 0..<6 {
      let path = try tree.write("\(number)", to: "\(number % 2)/\(number)")
      var times = [timeval(tv_sec: 1_000 + number, tv_usec: 0), timeval(tv_sec: 1_000 + number, tv_usec: 0)]
      #expect(utimes(path, &times) == 0)
    }
    tree.options.newestFirst = true
    try await tree.run()
    #expect(tree.examined == ["1/5", "0/4", "1/3", "0/2", "1/1", "0/0"])
  }

  @Test("A dry run opens nothing and stores nothing") func dryRun() async throws {
    var tree = try ScannedTree()
    try tree.write("a", to: "a")
    tree.options.isDryRun = true
    try await tree.run()
    #expect(tree.files.map(\.state) == [.new])
    #expect(tree.executor.read == 0)
    #expect(try tree.kept().isEmpty)
  }

  @Test("Without a library, the facts are in the events only") func withoutLibrary() async throws {
    let tree = try ScannedTree()
    try tree.write("hello", to: "a")
    var titles: [String?] = []
    for try await event in MediaScanner(engine: tree.engine).scan([PathBytes(tree.root)]) {
      if case .file(let file) = event { titles.append(file.info?.title) }
    }
    #expect(titles == ["hello"])
    #expect(try tree.kept().isEmpty)
  }

  @Test("Contradictory options end the scan with a message that names the conflict") func invalidOptions() async throws
  {
    let tree = try ScannedTree()
    var (unknown, watch, both) = (MediaScanner.Options(), MediaScanner.Options(), MediaScanner.Options())
    unknown.renditions = ["huge"]
    watch.watch = true
    (both.watch, both.isDryRun) = (true, true)
    for (scanner, options, word) in [
      (tree.scanner, unknown, "huge"), (MediaScanner(engine: tree.engine), watch, "watch"), (tree.scanner, both, "dry"),
    ] {
      do throws(MediaScanner.Failure) {
        for try await event in scanner.scan([PathBytes(tree.root)], options: options) { Issue.record("\(event)") }
        Issue.record("\(word): nothing was thrown")
      } catch {
        guard case .invalidOptions(let message) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(message.contains(word))
      }
    }
  }
}
