internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Transcoding

@Suite("Repeatability of a video") struct RepeatabilityTests {
  /// With the instructions of AVX-512, x264 0.164 reads memory that it has not written; the test needs a processor that has them to fail.
  ///
  /// In a process of its own, because the setting holds for all of it. 320 is no multiple of 256.
  @Test("what was in the memory of a process before does not change the bytes of a video")
  func memory() async throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 2, size: "320x240")
    await #expect(processExitsWith: .success) { [video = video as String] in
      let request = TranscodeRequest(format: .mp4(.level3), maxBytes: 60_000)
      let first = try TestVideos.transcode(video, request).result
      #expect(first.file?.width == 320)
      for byte: CInt in [1, 85, 254] {
        try #require(RepeatabilityTests.fill(with: byte))
        #expect(try TestVideos.transcode(video, request).result == first, "\(byte)")
      }
    }
  }

  /// Has the C library fill all memory that it gives with the complement of a byte. `mallopt` is in a header that Swift does not import.
  private static func fill(with byte: CInt) -> Bool {
    guard let symbol = dlsym(nil, "mallopt") else { return false }
    let set = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    let perturb: CInt = -6  // M_PERTURB
    return set(perturb, byte) == 1
  }
}
