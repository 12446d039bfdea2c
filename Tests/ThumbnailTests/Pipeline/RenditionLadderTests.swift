internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

@Suite struct RenditionLadderTests {
  private let photo = PixelSize(width: 4_032, height: 3_024)

  private func ladder(
    _ requests: [RenditionRequest], displayed: PixelSize? = nil, isPlain: Bool = true
  ) -> [RenditionLadder.Step] {
    RenditionLadder(requests: requests, displayed: displayed ?? photo, isPlain: isPlain).steps
  }

  @Test func `Smaller renditions are made from the largest`() {
    #expect(ladder([.box(256), .box(512), .box(1_440)]) == [.init(root: 2, smaller: [1, 0])])
  }

  @Test func `Two source pixels per target pixel are required`() {
    #expect(ladder([.box(512), .box(300), .box(256)]) == [.init(root: 0, smaller: [2]), .init(root: 1)])
  }

  @Test func `Transparent and animated images are made from the original`() {
    #expect(ladder([.box(1_440), .box(256)], isPlain: false) == [.init(root: 0), .init(root: 1)])
  }

  @Test func `A crop is no source for the whole image`() {
    let cover = RenditionRequest.box(1_440, fit: .cover(.centre))
    #expect(ladder([cover, .box(256)]) == [.init(root: 0), .init(root: 1)])
    #expect(ladder([.box(1_440), .box(256, fit: .cover(.centre))]) == [.init(root: 0, smaller: [1])])
  }

  @Test func `A crop is no source for another crop`() {
    var left = RenditionRequest.box(1_440)
    left.crop = PixelRect(x: 0, y: 0, width: 2_000, height: 3_000)
    var right = RenditionRequest.box(256)
    right.crop = PixelRect(x: 2_000, y: 0, width: 2_000, height: 3_000)
    #expect(ladder([left, right]) == [.init(root: 0), .init(root: 1)])
    right.crop = left.crop
    #expect(ladder([left, right]) == [.init(root: 0, smaller: [1])])
  }

  @Test func `A wide gamut is not made from a narrow one`() {
    var wide = RenditionRequest.box(256)
    wide.colorSpace = .p3
    #expect(ladder([.box(1_440), wide]).count == 2)
    #expect(ladder([wide, .box(64)]).count == 2)
  }

  @Test func `An enlarged image is no source for others`() {
    var enlarged = RenditionRequest.box(1_000)
    enlarged.allowsUpscaling = true
    #expect(ladder([enlarged, .box(200)], displayed: PixelSize(width: 200, height: 150)).count == 2)
  }

  @Test func `A thin image keeps its shape`() {
    let thin = PixelSize(width: 10_000, height: 300)
    #expect(ladder([.box(1_440), .box(256)], displayed: thin).count == 2)
  }

  @Test(arguments: 0..<500)
  func `Every request is made once from a source that is not smaller`(seed: Int) {
    var numbers = SeededGenerator(seed: UInt64(seed))
    let sides = (0..<Int.random(in: 1...8, using: &numbers)).map { _ in Int.random(in: 1...5_000, using: &numbers) }
    let steps = ladder(sides.map { .box($0) })
    #expect(steps.flatMap { [$0.root] + $0.smaller }.sorted() == Array(sides.indices), "\(sides)")
    #expect(steps.allSatisfy { step in step.smaller.allSatisfy { sides[$0] * 2 <= sides[step.root] } }, "\(sides)")
  }
}
