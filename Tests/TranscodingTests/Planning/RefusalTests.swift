internal import MediaModel
internal import Testing

@testable internal import Transcoding

@Suite("A file that cannot fit is refused with its duration, the limit and what would fit") struct RefusalTests {
  @Test(
    "A refusal states duration, limit and what fits",
    arguments: [
      (94 as Double?, 100_000, 21.9, "94 s cannot fit into 100 kB; at most 21 s can."),
      (7.21, 4_000, 1.29, "7.3 s cannot fit into 4.0 kB; at most 1.2 s can."),
      (94, 100, 0, "94 s cannot fit into 100 B."), (nil, 100, 0, "The file cannot fit into 100 B."),
      (nil, 100_000, 21, "The file cannot fit into 100 kB; at most 21 s can."),
      (10, 100_000, 12, "10 s cannot fit into 100 kB."),
      (.infinity, 100, .nan, "The file cannot fit into 100 B."),
    ])
  func message(duration: Double?, bytes: Int, fitting: Double, text: String) {
    let failure = MediaFailure.wouldNotFit(duration, in: bytes, fitting: fitting)
    #expect(failure.code == .wouldNotFit)
    #expect(failure.message == text)
  }
}
