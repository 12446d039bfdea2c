internal import Foundation
internal import TestSupport
internal import Testing

/// Files that were made to balloon, in a process of their own, whose peak memory the system tells when it ends.
@Suite struct MemoryTests {
  /// `scripts/sanitize` says so: a process of ours then holds the sanitizer's notes on every byte as well.
  private static let isSanitized = ProcessInfo.processInfo.environment["MEDIATOOL_SANITIZER"] != nil

  @Test(.disabled(if: isSanitized, "a sanitizer's own memory would be measured"))
  func fourRoundsOfHostileFilesNeedNoMoreMemoryThanOne() throws {
    let folders = [Fixture.folder.appendingPathComponent("broken").path, Corpus.path("hostile")]
    let files = folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + "/" + $0 }
    }
    #expect(!files.isEmpty)
    let once = try peakKilobytes(of: files)
    let fourTimes = try peakKilobytes(of: files + files + files + files)
    // Allocators settle within less; one 256-pixel RGBA picture lost a file would be over 80 MiB.
    #expect(fourTimes < once + 65_536, "\(once) → \(fourTimes) KiB")
  }

  /// The peak resident memory of `mediatool thumbnail` over the files.
  private func peakKilobytes(of files: [String]) throws -> Int {
    let folder = try TemporaryFolder()
    let program = Command.executable
    let arguments = [program, "thumbnail", "--jobs", "1", "--json", "-o", folder.path("out")] + files
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var process = pid_t()
    try #require(posix_spawn(&process, program, &actions, nil, &words, environ) == 0)
    var status: CInt = 0
    var usage = rusage()
    try #require(wait4(process, &status, 0, &usage) == process)
    #expect(status & 0x7F == 0, "ended by signal \(status & 0x7F)")
    return usage.ru_maxrss
  }
}
