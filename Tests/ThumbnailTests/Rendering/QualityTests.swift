internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Held against `vipsthumbnail` on the same file and size, before any lossy encoding.
@Suite struct QualityTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  /// Structure at every scale: rings, a slope and noise. Its sides are multiples of 8: where libjpeg has to round a reduced side, the
  /// reference itself is shifted.
  private static let scene = PixelBuffer(width: 752, height: 504) { x, y in
    let dx = Double(x - 350)
    let dy = Double(y - 225)
    let ring = 90 * ((dx * dx + dy * dy) / 4_500).truncatingRemainder(dividingBy: 1)
    let noise = Double((x &* 7_919 &+ y &* 104_729 &+ (x &* y) &* 31) & 15)
    return [
      UInt8(60 + ring + noise), UInt8(40 + Double(x) / 5 + noise / 2), UInt8(200 - Double(y) / 4 + noise / 2), 255,
    ]
  }

  @Test(arguments: ["jpg[Q=95]", "png", "webp[Q=95]", "tif", "gif", "avif[compression=av1,Q=80]"], [64, 200])
  func `A single size matches the reference`(format: String, side: Int) throws {
    let path = try studio.file("scene.\(format)", of: Self.scene)
    let rendition = try #require(try studio.render(path, [.box(side)]).renditions.first)
    let comparison = try ImageComparison(
      reference: studio.vipsthumbnail(path, side: side), actual: studio.pixels(of: rendition))
    #expect(comparison.faults(beyond: .resampled) == [], "\(comparison)")
  }

  @Test(arguments: ["jpg[Q=95]", "png", "tif"])
  func `Sizes from one call match the reference`(format: String) throws {
    let path = try studio.file("scene.\(format)", of: Self.scene)
    let sides = [45, 128, 320]
    let renditions = try studio.render(path, sides.map { .box($0) }).renditions
    for (side, rendition) in zip(sides, renditions) {
      let comparison = try ImageComparison(
        reference: studio.vipsthumbnail(path, side: side), actual: studio.pixels(of: rendition))
      #expect(comparison.faults(beyond: .resampled) == [], "\(side): \(comparison)")
    }
  }

  @Test func `The default quality matches the design`() throws {
    let path = try studio.file("scene.png", of: Self.scene)
    let requests = [RenditionRequest.box(256, .webp), .box(256, .jpeg), .box(256, .automatic)]
    #expect(try studio.render(path, requests).renditions.map(\.quality) == [79, 80, 79])
  }

  @Test(arguments: [(1_000, 666), (999, 1_777), (755, 503)])
  func `A size does not depend on other requests`(width: Int, height: Int) throws {
    let path = try studio.file("gray.png", of: PixelBuffer(width: width, height: height) { _, _ in [9, 9, 9, 255] })
    let sides = [512, 256, 171, 100, 33]
    let together = try studio.render(path, sides.map { .box($0) }).renditions
    let alone = try sides.flatMap { try studio.render(path, [.box($0)]).renditions }
    #expect(together.map { [$0.width, $0.height] } == alone.map { [$0.width, $0.height] })
  }

  /// CIELAB in 32 bits a pixel, which libvips packs.
  @Test func `Packed colors are the same for one and two sizes`() throws {
    let path = try studio.file("scene.png", of: Self.scene)
    let packed = studio.folder.path("packed.tif")
    try studio.check(studio.vips.run(["colourspace", path, packed, "labq"]))
    // 300 and 200 share no step: both are made of the whole.
    let renditions = try studio.render(packed, [.box(300), .box(200)]).renditions
    for (side, rendition) in zip([300, 200], renditions) {
      let comparison = try ImageComparison(
        reference: studio.pixels(of: #require(studio.render(packed, [.box(side)]).renditions.first)),
        actual: studio.pixels(of: rendition))
      #expect(comparison.faults(beyond: .resampled) == [], "\(side): \(comparison)")
    }
  }
}
