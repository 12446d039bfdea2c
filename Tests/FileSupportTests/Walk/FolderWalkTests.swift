internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import FileSupport

@Suite("A walk through folders") struct FolderWalkTests {
  let folder: TemporaryFolder
  let root: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    root = Array(folder.url.path.utf8)
  }

  func path(_ name: String) -> [UInt8] { root + Array("/\(name)".utf8) }

  private func takesHidden() -> FolderWalk.Filter {
    var filter = FolderWalk.Filter()
    filter.hidden = true
    return filter
  }

  @Test("The walk reports the same files as find, each once with its status", arguments: 0..<40 as Range<UInt64>)
  func sameAsFind(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    TreeMaker.make(folder.url.path, &random, files: 30 + random.below(200))
    let find = try Tool("find", package: "findutils")
    let found = try find.output([folder.url.path, "-type", "f", "-printf", "%i %s %T@ %p\\0"])
    let reported = WalkRecord(FolderWalk(root: root, filter: takesHidden()))
    let lines = zip(reported.files, reported.statuses).map { path, status in
      let (seconds, nanoseconds) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
      let time = "\(seconds).\(String(repeating: "0", count: 9 - String(nanoseconds).count))\(nanoseconds)0"
      return Array("\(status.inode) \(status.bytes) \(time) ".utf8) + path
    }
    #expect(words(lines) == words(found.split(separator: 0).map(Array.init)), "seed \(seed)")
    #expect(reported.problems.isEmpty)

    // Hidden ones are those with a dot at the beginning of a name below the root.
    let visible = WalkRecord(FolderWalk(root: root)).files
    let expected = reported.files.filter { path in
      path.dropFirst(root.count).split(separator: 0x2F).allSatisfy { $0.first != 0x2E }
    }
    #expect(visible == expected, "seed \(seed)")
  }

  @Test("Files are reported before subfolders, both in the byte order of their names") func order() throws {
    for name in ["b/2", "b/1", "a/z", "c", "B", "a.x", "\u{E9}", "b/a/1"] { try folder.write([], to: name) }
    let reported = WalkRecord(FolderWalk(root: root))
    #expect(reported.files == ["B", "a.x", "c", "\u{E9}", "a/z", "b/1", "b/2", "b/a/1"].map(path))
    #expect(reported.folders == [root] + ["a", "b", "b/a"].map(path))
  }

  @Test("A slash at the end of the root has no effect") func trailingSlash() throws {
    try folder.write([], to: "a/b")
    #expect(WalkRecord(FolderWalk(root: root + [0x2F, 0x2F])).files == [path("a/b")])
  }

  @Test("Paths below the root of the file system begin with one slash") func fileSystemRoot() throws {
    var walk = FolderWalk(root: [0x2F], filter: takesHidden())
    var files: [[UInt8]] = []
    while let event = walk.next() {
      if case .entered(let entered) = event, entered.path.count > 1 {
        #expect(entered.path.starts(with: [0x2F]))
        #expect(!entered.path.starts(with: [0x2F, 0x2F]))
        files.append(entered.path)
        if files.count > 3 { break }
      }
    }
    #expect(!files.isEmpty)
  }

  @Test("Symbolic links and pipes are skipped and counted") func skippedEntries() throws {
    try folder.write([1], to: "real/a")
    #expect(symlink("..", folder.path("real/up")) == 0)
    #expect(symlink("a", folder.path("real/same")) == 0)
    #expect(symlink("nowhere", folder.path("real/dead")) == 0)
    #expect(mkfifo(folder.path("real/pipe"), 0o600) == 0)
    let reported = WalkRecord(FolderWalk(root: root))
    #expect(reported.files == [path("real/a")])
    #expect(reported.skipped.links == 3)
    #expect(reported.skipped.special == 1)
    #expect(reported.problems.isEmpty)
  }

  @Test("A root that is a symbolic link is walked") func linkAsRoot() throws {
    try folder.write([1], to: "real/a")
    #expect(symlink("real", folder.path("link")) == 0)
    #expect(WalkRecord(FolderWalk(root: path("link"))).files == [path("link/a")])
  }

  @Test("A root that is missing or not a folder is a problem") func missingRoot() throws {
    try folder.write([1], to: "a")
    for (name, code) in [("a", MediaFailure.Code.notFound), ("none", .notFound)] {
      let reported = WalkRecord(FolderWalk(root: path(name)))
      #expect(reported.problems.map(\.failure.code) == [code])
      #expect(reported.problems.map(\.path) == [path(name)])
      #expect(reported.files.isEmpty)
    }
  }

  /// 400 folders in one another, each with a name of 200 bytes: eighty thousand bytes of path, where the system takes four.
  @Test("A tree deeper than PATH_MAX is walked with few descriptors") func deepTree() throws {
    let name = [UInt8](repeating: 0x64, count: 200)
    var handle = try FolderHandle.open(root)
    for _ in 0..<400 {
      #expect(FolderHandle.withName(name[...]) { mkdirat(handle.descriptor, $0, 0o755) } == 0)
      handle = try handle.folder(name[...])
      let file = FolderHandle.withName(Array("f".utf8)[...]) {
        openat(handle.descriptor, $0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      }
      #expect(file >= 0)
      close(file)
      // A sibling that comes after the way down: the walk has to find back.
      #expect(FolderHandle.withName(Array("e".utf8)[...]) { mkdirat(handle.descriptor, $0, 0o755) } == 0)
      #expect(FolderHandle.withName(Array("z".utf8)[...]) { mkdirat(handle.descriptor, $0, 0o755) } == 0)
    }
    // The system takes longer to answer than the walk to walk, so it is not asked after every event.
    var (maximum, events) = (0, 0)
    let reported = WalkRecord(FolderWalk(root: root)) { _ in
      events += 1
      if events % 16 == 0 { maximum = max(maximum, handlesInside()) }
    }
    #expect(reported.files.count == 400)
    #expect(reported.folders.count == 1 + 400 * 3)
    #expect(reported.problems.isEmpty)
    #expect(reported.files.last?.count == root.count + 400 * 201 + 2)
    #expect((1...FolderWalk.maxHandles + 2).contains(maximum))
    // Foundation cannot remove what it cannot name.
    _ = try Tool("rm", package: "coreutils").run(["-rf", folder.url.path + "/" + String(decoding: name, as: UTF8.self)])
  }

  /// Descriptors of this process that lead into the folder. Other tests run beside this one and have others; the system has no name for a place
  /// as deep as this test's, and only it goes there.
  private func handlesInside() -> Int {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return open.count { descriptor in
      var target = [UInt8](repeating: 0, count: 4_096)
      let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      return length < 0 ? errno == ENAMETOOLONG : target.starts(with: root)
    }
  }

  @Test("An unreadable folder is a problem, and the others are walked") func unreadable() throws {
    try folder.write([], to: "a/1")
    try folder.write([], to: "b/1")
    try folder.write([], to: "c/1")
    #expect(chmod(folder.path("b"), 0) == 0)
    defer { chmod(folder.path("b"), 0o755) }
    guard getuid() != 0 || access(folder.path("b"), R_OK) != 0 else {
      print("skipped: root may read every folder")
      return
    }
    let reported = WalkRecord(FolderWalk(root: root))
    #expect(reported.files == ["a/1", "c/1"].map(path))
    #expect(reported.problems.map(\.failure.code) == [.accessDenied])
  }

  @Test("A file or folder that vanishes during the walk is a problem, and the walk continues") func vanished() throws {
    for name in ["a/1", "a/2", "b/1", "c/1", "c/d/1"] { try folder.write([], to: name) }
    let reported = WalkRecord(FolderWalk(root: root)) { event in
      switch event {
      case .entered(let entered) where entered.path == path("a"):
        unlink(folder.path("a/2"))
        try? FileManager.default.removeItem(atPath: folder.path("b"))
      case .entered(let entered) where entered.path == path("c"):
        // A link takes the place of a folder whose name was read already.
        try? FileManager.default.removeItem(atPath: folder.path("c/d"))
        symlink("..", folder.path("c/d"))
      default: break
      }
    }
    #expect(reported.files == ["a/1", "c/1"].map(path))
    #expect(reported.problems.map(\.path) == ["a/2", "b", "c/d"].map(path))
    #expect(reported.problems.allSatisfy { $0.failure.code == .notFound })
  }

  @Test("If an ancestor is moved away, no file is reported twice and no sibling is lost") func movedAncestor() throws {
    let deep = (0..<40).map { "d\($0)" }.joined(separator: "/")
    for name in ["top/\(deep)/f", "top/z/1", "top/d0/z/1"] { try folder.write([], to: name) }
    var moved = false
    let reported = WalkRecord(FolderWalk(root: root)) { event in
      guard !moved, case .file = event else { return }
      moved = true
      // Out of the tree that is walked, into one beside it.
      #expect(rename(folder.path("top/d0"), folder.url.path + ".moved") == 0)
    }
    defer { try? FileManager.default.removeItem(atPath: folder.url.path + ".moved") }
    // Folders that are open or reachable from an open one are walked; nothing is reported twice, and the sibling is not lost.
    #expect(reported.files.last == path("top/z/1"))
    #expect(Set(reported.files.map { words([$0]) }).count == reported.files.count)
  }

  @Test("willRead is called for every folder before its names are read") func willRead() throws {
    try folder.write([], to: "a/1")
    let made = Array("late".utf8)
    let reported = WalkRecord(
      FolderWalk(root: root) { _, folder in
        // What is made now is still seen.
        let file = FolderHandle.withName(made[...]) {
          openat(folder.descriptor, $0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        }
        if file >= 0 { close(file) }
      })
    #expect(reported.files == ["late", "a/1", "a/late"].map(path))
  }
}

extension FolderWalkTests {
  @Test("On request, symbolic links to files below the root are followed, and no others") func followedLinks() throws {
    for name in ["in/a", "in/sub/b", "outside", "in-too"] { try folder.write([1, 2], to: name) }
    for (name, target) in [
      ("c-inside", "sub/b"), ("d-outside", "../outside"), ("e-up", ".."), ("f-self", "f-self"), ("g-folder", "sub"),
      ("h-nothing", "nothing"), ("i-sibling", "../in-too"),
    ] {
      #expect(symlink(target, folder.path("in/\(name)")) == 0)
    }
    var filter = FolderWalk.Filter()
    filter.links = .followedToFiles
    let reported = WalkRecord(FolderWalk(root: path("in"), filter: filter))
    #expect(reported.files == ["in/a", "in/c-inside", "in/sub/b"].map(path))
    #expect(reported.statuses.map(\.bytes) == [2, 2, 2])
    #expect(reported.skipped.links == 6)
    #expect(reported.problems.isEmpty)
    // Through a link to the root and with a slash behind it the same.
    #expect(symlink("in", folder.path("root")) == 0)
    #expect(WalkRecord(FolderWalk(root: path("root/"), filter: filter)).files.count == 3)
  }

  @Test("A closed folder is not entered, and is counted") func closedFolder() throws {
    for name in ["a", "out/b"] { try folder.write([], to: name) }
    var filter = FolderWalk.Filter()
    filter.closed = Set([FileIdentity(ofFolder: PathBytes(folder.path("out")))].compactMap { $0 })
    let reported = WalkRecord(FolderWalk(root: root, filter: filter))
    #expect(reported.files == [path("a")])
    #expect(reported.skipped.closed == 1)
  }

  @Test("The ignore files above a part apply to the walk of the part") func part() throws {
    for name in ["1", "a/1", "a/b/1", "a/b/1.txt", "a/b/c/1", "a/d/1"] { try folder.write([], to: name) }
    try folder.write(Array("*.txt\n/a/d".utf8), to: ".mediaignore")
    func reported(_ part: String, isDeep: Bool) -> WalkRecord {
      WalkRecord(FolderWalk(root: root, part: .folder(Array(part.utf8), isDeep: isDeep)))
    }
    #expect(reported("a/b", isDeep: false).files == [path("a/b/1")])
    #expect(reported("a/b", isDeep: true).files == ["a/b/1", "a/b/c/1"].map(path))
    #expect(reported("a/b", isDeep: true).folders == ["a/b", "a/b/c"].map(path))
    #expect(reported("", isDeep: false).files == [path("1")])
    // Skipped in a walk of the whole tree, so here too.
    #expect(reported("a/d", isDeep: true).files.isEmpty)
    #expect(reported("a/d", isDeep: true).problems.isEmpty)
    let none = reported("a/none/b", isDeep: true)
    #expect(none.problems.map(\.path) == [path("a/none")])
    #expect(none.problems.map(\.failure.code) == [.notFound])
  }
}
