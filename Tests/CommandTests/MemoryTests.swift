internal import Foundation
internal import TestSupport
internal import Testing

/// Files made to exhaust memory, each in a process of its own, whose peak memory the system reports at its end.
@Suite struct MemoryTests {
  /// `scripts/sanitize` sets this: the process then also holds the sanitizer's data about every byte.
  private static let isSanitized = ProcessInfo.processInfo.environment["MEDIATOOL_SANITIZER"] != nil

  @Test(.disabled(if: isSanitized, "a sanitizer's own memory would be measured"))
  func `Four rounds of hostile files need no more memory than one`() throws {
    let folders = [Fixture.folder.appendingPathComponent("broken").path, Corpus.path("hostile")]
    let files = folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + "/" + $0 }
    }
    #expect(!files.isEmpty)
    let once = try peakKilobytes(of: files)
    let fourTimes = try peakKilobytes(of: files + files + files + files)
    // Allocators settle within less; one 256-pixel RGBA image lost a file would be over 80 MiB.
    #expect(fourTimes < once + 65_536, "\(once) → \(fourTimes) KiB")
  }

  /// Ten hours at 8 kHz, which take no disk. Were only the mean of each second kept, they would still fit; were the samples, they would need
  /// over 1 GiB.
  @Test func `An audio file of ten hours needs no more memory than one of a second`() throws {
    let folder = try TemporaryFolder()
    func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    func audio(seconds: Int) throws -> String {
      let size = UInt32(seconds * 16_000)
      let format = little(16) + [1, 0, 1, 0] + little(8_000) + little(16_000) + [2, 0, 16, 0]
      let header = Array("RIFF".utf8) + little(size + 36) + Array("WAVEfmt ".utf8) + format + Array("data".utf8)
      let path = try folder.write(header + little(size), to: "\(seconds).wav")
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: UInt64(size) + 44)
      try file.close()
      return path
    }
    let short = try peakKilobytes(of: [audio(seconds: 1)])
    let long = try peakKilobytes(of: [audio(seconds: 36_000)])
    #expect(long < short + 16_384, "\(short) → \(long) KiB")
  }

  /// The peak resident memory of `mediatool thumbnail` over the files, decoders included.
  private func peakKilobytes(of files: [String]) throws -> Int {
    let folder = try TemporaryFolder()
    let program = Command.executable
    let arguments = [program, "thumbnail", "--in-process", "--jobs", "1", "--json", "-o", folder.path("out")] + files
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
