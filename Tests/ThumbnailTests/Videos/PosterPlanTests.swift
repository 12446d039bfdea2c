internal import MediaModel
internal import Testing

@testable internal import Thumbnails

@Suite struct PosterPlanTests {
  private let video = PixelSize(width: 1_920, height: 1_080)

  private func plan(_ sides: Int...) -> PosterPlan {
    PosterPlan(requests: sides.map { RenditionRequest(name: "\($0)", box: PixelSize(width: $0, height: $0)) })
  }

  @Test func `A frame is converted to twice the largest rendition`() {
    #expect(plan(256).size(of: video, orientation: .up) == PixelSize(width: 512, height: 288))
    #expect(plan(128, 256, 64).size(of: video, orientation: .up) == PixelSize(width: 512, height: 288))
  }

  @Test func `A rotated video is converted as stored`() {
    #expect(plan(256).size(of: video, orientation: .right) == PixelSize(width: 512, height: 288))
  }

  @Test func `Small reductions and crops keep the frame size`() {
    #expect(plan(1_440).size(of: video, orientation: .up) == video)
    var cropped = RenditionRequest(name: "c", box: PixelSize(width: 16, height: 16))
    cropped.crop = PixelRect(x: 0, y: 0, width: 16, height: 16)
    #expect(PosterPlan(requests: [cropped]).size(of: video, orientation: .up) == video)
    #expect(!PosterPlan(requests: [cropped]).isSmall(for: video))
  }

  @Test func `Loop filters are skipped up to half the size`() {
    #expect(plan(960).isSmall(for: video))
    #expect(!plan(961).isSmall(for: video))
    #expect(!plan(256, 961).isSmall(for: video))
    #expect(!plan(16).isSmall(for: nil))
  }

  @Test func `A thin video keeps a row`() {
    let size = plan(64).size(of: PixelSize(width: 8_000, height: 4), orientation: .up)
    #expect(size == PixelSize(width: 128, height: 2))
  }
}
