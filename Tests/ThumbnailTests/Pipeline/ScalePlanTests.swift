internal import MediaModel
internal import Testing

@testable internal import Thumbnails

@Suite struct ScalePlanTests {
  private func plan(
    _ boxes: Int..., displayed: PixelSize = PixelSize(width: 4032, height: 3024), crop: PixelRect? = nil,
    orientation: MediaInfo.Orientation = .up
  ) -> ScalePlan {
    let requests = boxes.map { side in
      var request = RenditionRequest(name: "\(side)", box: PixelSize(width: side, height: side))
      request.crop = crop
      return request
    }
    return ScalePlan(requests: requests, displayed: displayed, orientation: orientation)
  }

  @Test(arguments: [(256, 8), (265, 8), (266, 4), (512, 4), (531, 2), (1_060, 2), (1_440, 1), (4_032, 1)])
  func `libjpeg leaves about two pixels for the last reduction`(box: Int, shrink: Int) {
    #expect(plan(box).jpegShrink == shrink)
    let left = 4032.0 / Double(box) / Double(plan(box).jpegShrink)
    #expect(left >= 1.9 || plan(box).jpegShrink == 1)
    #expect(plan(box).jpegShrink == 8 || left < 3.8, "no more pixels are decoded than needed")
  }

  @Test func `A long thin image keeps a row`() {
    let thin = PixelSize(width: 16_000, height: 1)
    #expect(plan(128, displayed: thin).jpegShrink == 1)
    #expect(plan(128, displayed: PixelSize(width: 16_000, height: 7)).jpegShrink == 4)
    #expect(plan(128, displayed: thin).drawingScale == 1)
    #expect(plan(128, displayed: PixelSize(width: 16_000, height: 8)).drawingScale == 0.125)
    #expect(plan(256).drawingScale == plan(256).largestScale)
  }

  @Test func `The largest request determines the scale`() {
    #expect(plan(256, 1440, 512).jpegShrink == plan(1440).jpegShrink)
    #expect(plan(256, 1440).largestScale == 1440.0 / 4032)
  }

  @Test func `For cover the shorter side counts`() {
    let request = RenditionRequest(name: "grid", box: PixelSize(width: 256, height: 256), fit: .cover(.centre))
    #expect(ScalePlan.scale(of: request, displayed: PixelSize(width: 4032, height: 3024)) == 256.0 / 3024)
  }

  @Test("Nothing is enlarged unless asked") func nothingIsEnlargedUnlessAsked() {
    var request = RenditionRequest(name: "view", box: PixelSize(width: 1440, height: 1440))
    #expect(ScalePlan.scale(of: request, displayed: PixelSize(width: 100, height: 50)) == 1)
    request.allowsUpscaling = true
    #expect(ScalePlan.scale(of: request, displayed: PixelSize(width: 100, height: 50)) == 14.4)
  }

  @Test func `A crop is reduced only by its divisors`() {
    let even = PixelRect(x: 8, y: 16, width: 3200, height: 2400)
    #expect(plan(128, crop: even).jpegShrink == 8)
    #expect(plan(128, crop: PixelRect(x: 9, y: 16, width: 3200, height: 2400)).jpegShrink == 1)
    // 4,030 − 8 − 3,200 = 822 columns lie to the right: mirrored, the crop begins at an edge that 4 does not divide.
    let size = PixelSize(width: 4030, height: 3024)
    #expect(plan(128, displayed: size, crop: even, orientation: .upMirrored).jpegShrink == 2)
  }

  @Test(
    arguments: zip(
      [1_440, 512, 256, 256, 128, 4_032], zip([1.0, 1, 3, 4, 1, 1], [1, 3, 1, 1, 15, 1]).map(Averaging.init)))
  func `Averaging leaves two source pixels per target pixel`(box: Int, averaging: Averaging) {
    let scale = Double(box) / 4_032
    #expect(ScalePlan.averagingFactor(forScale: scale, reduction: averaging.reduction) == averaging.factor)
  }

  struct Averaging {
    let reduction: Double
    let factor: Int
  }
}
