internal import AttachmentPolicy
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Killed while writing", .serialized) struct KillTests {
  /// The draft number `n`: large enough to be written in several pieces, and no two numbers have a part in common.
  private static func draft(_ n: Int) -> AttachmentDraft {
    var draft = AttachmentDraft(text: "\(n) " + String(repeating: "\(n % 10)", count: 40_000 + n % 7 * 10_000))
    let files = (0...n % 5).map { index in
      MediaAttachment(id: MediaAttachment.ID("\(n)-\(index)"), info: MediaInfo(type: .jpeg, bytes: n + 1))
    }
    _ = draft.add(files, under: AttachmentRules())
    return draft
  }

  @Test(
    "R-TRAY-24: after a kill at any moment, the old or the new draft is there, complete",
    arguments: 0..<60 as Range<UInt64>)
  func killed(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    var random = SeededGenerator(seed: seed)
    let microseconds = UInt32(random.below(30_000))
    await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
      [path = path as String, microseconds = microseconds as UInt32] in
      let store = DraftStore(folder: path + "/drafts")
      try KilledWriter.run(killedAfter: microseconds, in: path) { try store.save(Self.draft($0), for: .thread("t")) }
    }

    let store = DraftStore(folder: path + "/drafts")
    let acknowledged = KilledWriter.acknowledged(in: path)
    let found = try store.load(.thread("t"))
    let number = found.flatMap { Int($0.text.prefix { $0 != " " }) } ?? 0
    #expect(found == (number == 0 ? nil : Self.draft(number)), "seed \(seed): not whole")
    #expect(
      [acknowledged, acknowledged + 1].contains(number), "seed \(seed): \(acknowledged) was saved, \(number) is there")

    // The next program writes over what is left, and a sweep takes the rest away.
    try store.save(Self.draft(3), for: .thread("t"))
    try store.sweep(before: Int(Date.now.timeIntervalSince1970) - 600)
    #expect(try store.load(.thread("t")) == Self.draft(3), "seed \(seed)")
  }

  @Test(
    "If a write ends early, after any byte, the old draft is there and the failure is reported",
    arguments: [0, 1, 4_096, 40_000, 80_000])
  func cutOff(bytes: Int) async throws {
    let folder = try TemporaryFolder()
    let store = DraftStore(folder: folder.path("drafts"))
    try store.save(Self.draft(3), for: .thread("t"))
    await #expect(processExitsWith: .exitCode(7)) { [path = store.folder as String, bytes = bytes as Int] in
      // As on a full disk, but of this process alone: no file can become larger than that.
      signal(SIGXFSZ, SIG_IGN)
      var limits = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { return }
      do {
        try DraftStore(folder: path).save(Self.draft(4), for: .thread("t"))
      } catch {
        _exit(7)
      }
    }
    #expect(try store.load(.thread("t")) == Self.draft(3))
    try store.save(Self.draft(5), for: .thread("t"))
    #expect(try store.load(.thread("t")) == Self.draft(5))
    #expect((FileManager.default.subpaths(atPath: store.folder) ?? []).count == 3, "a folder, its draft and the lock")
  }
}
