internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Transcoding

@Suite("Frame size and frame rate of a video") struct VideoEncodePlanTests {
  private func plan(
    _ width: Int, _ height: Int, bits: Double, _ format: TranscodeRequest.Format = .mp4(.level3), rate: Double? = 30,
    box: PixelSize? = nil
  ) -> VideoEncodePlan {
    var request = TranscodeRequest(format: format, maxBytes: 300_000)
    request.box = box
    return VideoEncodePlan(
      source: PixelSize(width: width, height: height), sourceRate: rate, bits: bits, request: request)
  }

  @Test func `A small video keeps its size and rate`() {
    let plan = plan(320, 240, bits: 1e6)
    #expect(plan.size == PixelSize(width: 320, height: 240))
    #expect(plan.frameRate == 30)
  }

  @Test func `Few bits reduce the size, then the rate`() {
    let many = plan(1_280, 720, bits: 2e6)
    let some = plan(1_280, 720, bits: 3e5)
    let few = plan(1_280, 720, bits: 3e4)
    #expect(many.size.pixelCount > some.size.pixelCount)
    #expect(some.size.pixelCount > few.size.pixelCount)
    #expect(many.frameRate > 20)
    #expect(few.frameRate <= 15)
  }

  @Test func `Sides are even and within the level`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let (width, height) = (Int.random(in: 1...20_000, using: &random), Int.random(in: 1...20_000, using: &random))
      let level = TranscodeRequest.H264Level.allCases.randomElement(using: &random) ?? .level1
      let bits = Double.random(in: 1...1e8, using: &random)
      let plan = plan(width, height, bits: bits, .mp4(level), rate: Double.random(in: 0...500, using: &random))
      let label = "seed 7: \(width)x\(height) \(level) \(bits)"
      #expect(plan.size.width % 2 == 0, "\(label)")
      #expect(plan.size.height % 2 == 0, "\(label)")
      #expect(plan.size.width >= 16, "\(label)")
      #expect(plan.size.height >= 16, "\(label)")
      #expect(level.allows(plan.size), "\(label)")
      #expect(plan.frameRate <= level.maxFrameRate(of: plan.size) + 0.001, "\(label)")
      #expect(plan.frameRate <= 30, "\(label)")
    }
  }

  @Test func `A box applies to both orientations`() {
    let box = PixelSize(width: 640, height: 480)
    #expect(plan(1_080, 1_920, bits: 1e7, box: box).size.height <= 640)
    #expect(plan(1_920, 1_080, bits: 1e7, box: box).size.width <= 640)
  }

  @Test func `H.263 has its own sizes, with bars`() {
    let wide = plan(1_920, 1_080, bits: 2e5, .threeGP(.qcif))
    #expect(wide.size == TranscodeRequest.H263Size.qcif.size)
    #expect(wide.shown.width == 176)
    #expect(wide.shown.height < 144)
    let tall = plan(1_080, 1_920, bits: 2e5, .threeGP(.qcif))
    #expect(tall.size == TranscodeRequest.H263Size.qcif.size)
    #expect(tall.shown.height == 144)
    #expect(tall.shown.width < 176)
    #expect(plan(640, 480, bits: 100, .threeGP(.cif)).size == TranscodeRequest.H263Size.sqcif.size)
  }

  @Test(
    "H.263 has the largest of its sizes inside the box, in either orientation",
    arguments: [
      (351, 288, .qcif), (352, 287, .qcif), (288, 352, .cif), (160, 120, .sqcif), (144, 176, .qcif), (128, 96, .sqcif),
    ] as [(Int, Int, TranscodeRequest.H263Size)])
  func h263Box(width: Int, height: Int, expected: TranscodeRequest.H263Size) throws {
    let box = PixelSize(width: width, height: height)
    #expect(plan(640, 480, bits: 1e9, .threeGP(.cif), box: box).size == expected.size)
    // The size that the format names is a limit too.
    #expect(plan(640, 480, bits: 1e9, .threeGP(.sqcif), box: box).size == TranscodeRequest.H263Size.sqcif.size)
  }

  @Test("A box that no size of H.263 is inside of is an invalid request") func noH263Size() throws {
    var request = TranscodeRequest(format: .threeGP(.cif), maxBytes: 300_000)
    request.box = PixelSize(width: 127, height: 96)
    let failure = #expect(throws: MediaFailure.self) { try request.check() }
    #expect(failure?.code == .invalidRequest)
    request.format = .mp4(.level3)
    try request.check()
  }

  @Test(arguments: [TranscodeRequest.Format.mp4(.level3), .threeGP(.cif)])
  func `Reducing the size ends`(format: TranscodeRequest.Format) {
    var next: VideoEncodePlan? = plan(1_920, 1_080, bits: 1e9, format)
    var request = TranscodeRequest(format: format, maxBytes: 1)
    request.maxFrameRate = 30
    var steps = 0
    while let plan = next, steps < 100 {
      next = plan.smaller(request)
      steps += 1
    }
    #expect(steps < 20)
  }
}
