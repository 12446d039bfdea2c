internal import MediaModel
internal import Testing

@testable internal import Thumbnails

@Suite struct PageScaleTests {
  private func scale(
    _ requests: [RenditionRequest], _ width: Double, _ height: Double, maxPixels: Int = 268_402_689
  ) throws -> Double {
    try PageScale(requests: requests, width: width, height: height, maxPixels: maxPixels).scale
  }

  @Test func `The largest request determines the scale`() throws {
    #expect(try scale([.box(100), .box(400)], 200, 100) == 2)
    #expect(try scale([.box(100)], 200, 100) == 0.5)
    #expect(try scale([.box(100, fit: .cover(.centre)), .box(100)], 200, 100) == 1)
  }

  @Test func `A crop needs as many pixels as its box`() throws {
    var request = RenditionRequest.box(100)
    request.crop = PixelRect(x: 0, y: 0, width: 50, height: 20)
    #expect(try scale([request], 200, 100) == 2)
  }

  @Test func `A long thin page keeps a pixel across`() throws {
    #expect(try scale([.box(100)], 2, 10_000) == 0.5)
  }

  @Test func `The scale respects the pixel limit`() throws {
    for (width, height) in [(100.0, 100.0), (3.0, 900.0), (0.7, 0.7), (1e9, 1e9)] {
      let scale = try scale([.box(5_000)], width, height, maxPixels: 10_000)
      #expect((width * scale).rounded() * (height * scale).rounded() <= 10_000, "\(width) × \(height)")
    }
  }

  @Test(arguments: [(0.0, 10.0), (-1.0, 10.0), (.nan, 10.0), (.infinity, 10.0), (1e-9, 1e9)])
  func `A page without an area is refused`(width: Double, height: Double) {
    #expect { try scale([.box(10)], width, height) } throws: { ($0 as? MediaFailure)?.code == .corrupt }
  }

  @Test func `Crops are converted to rasterised pixels`() throws {
    let plan = try PageScale(requests: [.box(100)], width: 200, height: 100, maxPixels: 1_000_000)
    let drawn = PixelSize(width: 100, height: 50)
    #expect(
      plan.drawn(PixelRect(x: 20, y: 10, width: 60, height: 90), in: drawn)
        == PixelRect(x: 10, y: 5, width: 30, height: 45))
    #expect(
      plan.drawn(PixelRect(x: 199, y: 99, width: 1, height: 1), in: drawn)
        == PixelRect(x: 99, y: 49, width: 1, height: 1))
  }
}
