internal import AttachmentPolicy
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Drafts on disk") struct DraftStoreTests {
  private let folder: TemporaryFolder
  private let store: DraftStore

  init() throws {
    folder = try TemporaryFolder()
    store = DraftStore(folder: folder.path("a/drafts"))
  }

  private func draft(_ text: String, attachments: [MediaAttachment.ID] = []) -> AttachmentDraft {
    var draft = AttachmentDraft(text: text)
    let files = attachments.map { MediaAttachment(id: $0, info: MediaInfo(type: .jpeg, bytes: 5)) }
    _ = draft.add(files, under: AttachmentRules())
    return draft
  }

  /// All files in the store except the lock.
  private var files: [String] {
    (FileManager.default.subpaths(atPath: store.folder) ?? []).filter { $0 != ".lock" }.sorted()
  }

  /// Makes a file look so many seconds old.
  private func age(_ path: String, to time: Int) throws {
    var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
    try #require(utimes(path, &times) == 0)
  }

  @Test("A35, R-TRAY-24: a thread has one draft, and there may be any number without one; a saved draft can be loaded")
  func saveAndLoad()
    throws
  {
    #expect(try store.load(.thread("t")) == nil)
    #expect(try store.keys().isEmpty)
    try store.save(draft("first"), for: .thread("t"))
    try store.save(draft("second", attachments: ["a", "b"]), for: .thread("t"))
    try store.save(draft("other"), for: .unthreaded("t"))
    try store.save(draft("third"), for: .unthreaded("u"))
    // Another program, later.
    let again = DraftStore(folder: store.folder)
    #expect(try again.load(.thread("t")) == draft("second", attachments: ["a", "b"]))
    #expect(try again.load(.unthreaded("t"))?.text == "other")
    #expect(try Set(again.keys()) == [.thread("t"), .unthreaded("t"), .unthreaded("u")])
    try again.remove(.thread("t"))
    try again.remove(.thread("t"))
    #expect(try store.load(.thread("t")) == nil)
    #expect(try Set(store.keys()) == [.unthreaded("t"), .unthreaded("u")])
  }

  @Test("R-TRAY-23: the progress of uploads is kept") func uploads() throws {
    var draft = draft("", attachments: ["a", "b"])
    _ = draft.setUpload(.uploading(bytesSent: 3), of: "a")
    _ = draft.setUpload(.failed(.timedOut, bytesSent: 2), of: "b")
    try store.save(draft, for: .thread("t"))
    #expect(
      try store.load(.thread("t"))?.items.map(\.upload) == [.uploading(bytesSent: 3), .failed(.timedOut, bytesSent: 2)])
  }

  @Test(
    "No name becomes a part of a path",
    arguments: ["../../escape", "/etc/passwd", "", ".", "a\0b", String(repeating: "ü/", count: 5_000)])
  func names(name: String) throws {
    try store.save(draft("x"), for: .thread(name))
    let kept = try store.keepFile(at: folder.write([1, 2], to: "in"), of: MediaAttachment.ID(name), for: .thread(name))
    #expect(try store.load(.thread(name))?.text == "x")
    #expect(try store.keys() == [.thread(name)])
    #expect(kept.hasPrefix(store.folder + "/"))
    #expect(files.count == 3)
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == ["a", "in"])
  }

  @Test("R-MMS-9, R-MYM-9: an empty draft is not kept, and nothing of the previous one stays") func empty() throws {
    try store.save(draft("x", attachments: ["a"]), for: .thread("t"))
    try store.keepFile(at: folder.write([1, 2], to: "in"), of: "a", for: .thread("t"))
    try store.save(AttachmentDraft(), for: .thread("t"))
    #expect(files.isEmpty)
  }

  @Test("R-MAIL-2: a store that keeps no drafts leaves nothing behind") func notKept() throws {
    try store.save(draft("x"), for: .thread("t"))
    let none = DraftStore(folder: store.folder, keeping: .none)
    try none.save(draft("y"), for: .thread("t"))
    #expect(try none.load(.thread("t")) == nil)
    #expect(files.isEmpty)
    let untouched = DraftStore(folder: folder.path("never"), keeping: .none)
    try untouched.save(draft("y"), for: .thread("t"))
    #expect(throws: DraftStore.Failure.notKept) {
      try untouched.keepFile(at: folder.write([1], to: "in"), of: "a", for: .thread("t"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("never")))
  }

  @Test("R-CHAT-11, R-MYM-8: a file is kept with its draft, removed with it, and can be replaced")
  func keptFiles() throws {
    let source = try folder.write([1, 2, 3], to: "in.jpg")
    let kept = try store.keepFile(at: source, of: "a", for: .thread("t"))
    #expect(store.file(of: "a", for: .thread("t")) == kept)
    #expect(store.file(of: "b", for: .thread("t")) == nil)
    try #expect(Data(contentsOf: URL(fileURLWithPath: kept)) == Data([1, 2, 3]))
    try store.keepFile(at: folder.write([4], to: "in.jpg"), of: "a", for: .thread("t"))
    try #expect(Data(contentsOf: URL(fileURLWithPath: kept)) == Data([4]))
    try store.save(draft("x", attachments: ["a"]), for: .thread("t"))
    try store.remove(.thread("t"))
    #expect(files.isEmpty)
    #expect(store.file(of: "a", for: .thread("t")) == nil)
    #expect(throws: DraftStore.Failure.self) { try store.keepFile(at: folder.path("none"), of: "a", for: .thread("t")) }
    #expect(throws: DraftStore.Failure.self) { try store.keepFile(at: "/dev/zero", of: "a", for: .thread("t")) }
  }

  @Test("R-MYM-9: abandoned drafts, files without a draft and temporary files are swept, and nothing else") func sweep()
    throws
  {
    let source = try folder.write([1, 2, 3], to: "in")
    for name in ["old", "new"] {
      try store.save(draft(name, attachments: ["a"]), for: .thread(name))
      try store.keepFile(at: source, of: "a", for: .thread(name))
      try store.keepFile(at: source, of: "removed", for: .thread(name))
    }
    // Its draft is still to come.
    try store.keepFile(at: source, of: "a", for: .thread("coming"))
    for path in files.map({ "\(store.folder)/\($0)" }) { try age(path, to: 1_000) }
    let new = try #require(store.file(of: "a", for: .thread("new"))).split(separator: "/").dropLast().joined(
      separator: "/")
    try age("/\(new)/draft.json", to: 2_000)
    try Data([0]).write(to: URL(fileURLWithPath: "/\(new)/.1-1.tmp"))
    try age("/\(new)/.1-1.tmp", to: 1_999)
    let coming = try #require(store.file(of: "a", for: .thread("coming")))
    try age(coming, to: 2_000)
    // Not ours.
    let foreign = store.folder + "/notes.txt"
    try Data([0]).write(to: URL(fileURLWithPath: foreign))
    try age(foreign, to: 1)

    #expect(try store.sweep(before: 2_000) == [.thread("old")])
    #expect(try store.load(.thread("old")) == nil)
    #expect(store.file(of: "a", for: .thread("old")) == nil)
    #expect(try store.load(.thread("new"))?.text == "new")
    #expect(store.file(of: "a", for: .thread("new")) != nil)
    #expect(store.file(of: "removed", for: .thread("new")) == nil)
    #expect(!FileManager.default.fileExists(atPath: "/\(new)/.1-1.tmp"))
    #expect(FileManager.default.fileExists(atPath: foreign))
    #expect(FileManager.default.fileExists(atPath: coming))
    #expect(try store.sweep(before: 2_001) == [.thread("new")])
    #expect(files == ["notes.txt"], "folders that became empty are gone")
    #expect(try DraftStore(folder: folder.path("none")).sweep(before: 9) == [])
  }

  @Test("R-MYM-9: a draft to which a photo was just added is not abandoned, however old it is") func sweepMeanwhile()
    throws
  {
    let source = try folder.write([1, 2, 3], to: "in")
    try store.save(draft("old"), for: .thread("t"))
    for path in files.map({ "\(store.folder)/\($0)" }) { try age(path, to: 1_000) }
    // Somebody came back: the image is kept, the draft that names it is about to be saved.
    let kept = try store.keepFile(at: source, of: "a", for: .thread("t"))
    #expect(try store.sweep(before: 2_000) == [])
    #expect(FileManager.default.fileExists(atPath: kept))
    #expect(try store.load(.thread("t"))?.text == "old")
    try age(kept, to: 1_999)
    #expect(try store.sweep(before: 2_000) == [.thread("t")])
    #expect(files.isEmpty)
  }

  @Test("Foreign files are never removed, and no link is followed out of the store") func foreignFiles() throws {
    try store.save(draft("old"), for: .thread("t"))
    let draftFolder = try #require(files.first { !$0.contains("/") })
    let note = "\(store.folder)/\(draftFolder)/notes.txt"
    try Data([0]).write(to: URL(fileURLWithPath: note))
    // A folder of somebody's, and a link to it where the draft of a thread would lie.
    let photos = folder.path("photos")
    try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
    for name in ["holiday.jpg", "draft.json", ".1-1.tmp", "file-" + String(repeating: "a", count: 64)] {
      try Data([0]).write(to: URL(fileURLWithPath: "\(photos)/\(name)"))
      try age("\(photos)/\(name)", to: 1)
    }
    try store.save(draft("other"), for: .thread("linked"))
    let linked = try #require(files.first { !$0.contains("/") && $0 != draftFolder })
    try FileManager.default.removeItem(atPath: "\(store.folder)/\(linked)")
    try FileManager.default.createSymbolicLink(atPath: "\(store.folder)/\(linked)", withDestinationPath: photos)
    for path in ["\(draftFolder)/draft.json", "\(draftFolder)/notes.txt"] { try age("\(store.folder)/\(path)", to: 1) }

    #expect(try store.sweep(before: 2_000) == [.thread("t")])
    try? store.remove(.thread("linked"))
    #expect(throws: DraftStore.Failure.self) { try store.save(draft("x"), for: .thread("linked")) }
    #expect(FileManager.default.fileExists(atPath: note))
    #expect(try FileManager.default.contentsOfDirectory(atPath: photos).count == 4)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(photos)/draft.json")) == Data([0]))
  }

  @Test("A draft that may still exist is not reported as removed") func removeUnsure() throws {
    let loop = folder.path("loop")
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let store = DraftStore(folder: loop)
    #expect(throws: DraftStore.Failure.self) { try store.remove(.thread("t")) }
    #expect(throws: DraftStore.Failure.self) { try store.save(AttachmentDraft(), for: .thread("t")) }
    #expect(throws: DraftStore.Failure.self) { try store.sweep(before: 9) }
    #expect(throws: DraftStore.Failure.self) { try store.load(.thread("t")) }
    #expect(throws: DraftStore.Failure.self) { try store.keys() }
  }

  @Test("Many concurrent saves to one thread all succeed, and the last draft is complete") func together() async throws
  {
    let source = try folder.write([UInt8](repeating: 7, count: 300_000), to: "in")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask { [store] in
          for round in 0..<100 {
            switch worker {
            // Long in writing, quick in removing: one is always in the middle of the other.
            case 0:
              try store.save(AttachmentDraft(text: String(repeating: "\(round)", count: 100_000)), for: .thread("t"))
            case 1: for _ in 0..<30 { try store.remove(.thread("t")) }
            case 2: try store.keepFile(at: source, of: "a", for: .thread("t"))
            default: try store.sweep(before: round % 2 == 0 ? 0 : .max)
            }
            _ = try store.load(.thread("t"))
            _ = try store.keys()
          }
        }
      }
      try await group.waitForAll()
    }
    try store.save(draft("end"), for: .thread("t"))
    #expect(try store.load(.thread("t"))?.text == "end")
    #expect(files.allSatisfy { !$0.hasSuffix(".tmp") }, "\(files)")
  }

  @Test("Facts with numbers that JSON does not have are kept: no draft is lost for an invalid duration")
  func oddNumbers()
    throws
  {
    for length in [Double.infinity, -.infinity] {
      var info = MediaInfo(type: .jpeg, bytes: 5)
      info.duration = length
      var draft = AttachmentDraft()
      _ = draft.add([MediaAttachment(id: "a", info: info)], under: AttachmentRules())
      try store.save(draft, for: .thread("t"))
      #expect(try store.load(.thread("t")) == draft)
    }
  }

  @Test("Keys are compared by bytes: a key that only looks the same is another draft") func keysAreBytes() throws {
    let (composed, decomposed) = (DraftStore.Key.thread("caf\u{E9}"), DraftStore.Key.thread("cafe\u{301}"))
    #expect(composed != decomposed)
    #expect(composed != .unthreaded("caf\u{E9}"))
    try store.save(draft("one"), for: composed)
    try store.save(draft("two"), for: decomposed)
    #expect(try store.load(composed)?.text == "one")
    #expect(try store.load(decomposed)?.text == "two")
    #expect(try Set(store.keys()) == [composed, decomposed])
  }

  @Test("A draft of a newer version is reported, and neither lost nor overwritten by a sweep") func newerVersion()
    throws
  {
    try store.save(draft("x"), for: .thread("t"))
    let name = try #require(files.first { $0.hasSuffix("draft.json") })
    let path = "\(store.folder)/\(name)"
    let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(
      of: #""version":1"#, with: #""version":9"#)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try age(path, to: 1)
    #expect(throws: DraftStore.Failure.self) { try store.load(.thread("t")) }
    #expect(try store.sweep(before: 1_000).isEmpty)
    #expect(try store.keys().isEmpty)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    try store.save(draft("y"), for: .thread("t"))
    #expect(try store.load(.thread("t"))?.text == "y", "saving on purpose is another matter")
  }

  @Test("A failed write is reported, and the old draft stays") func unwritable() throws {
    try store.save(draft("x"), for: .thread("t"))
    let file = try folder.write([1], to: "file")
    let error = #expect(throws: DraftStore.Failure.self) {
      try DraftStore(folder: file + "/x").save(draft("y"), for: .thread("t"))
    }
    #expect(error.map { "\($0)".contains("Not a directory") } == true)
    #expect(try store.load(.thread("t"))?.text == "x")
  }
}
