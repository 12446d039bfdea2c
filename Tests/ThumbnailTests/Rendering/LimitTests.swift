internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite struct LimitTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test func `An image with too many pixels is refused before it is decoded`() throws {
    let path = try studio.file("photo.png", of: SyntheticImage.slope(101, 100))
    var options = Thumbnailer.Options()
    options.limits.pixels = 10_100
    #expect(try studio.render(path, [.box(50)], options: options).error == nil, "equal to the limit is allowed")
    options.limits.pixels = 10_099
    let result = try studio.render(path, [.box(50)], options: options)
    #expect(result.error?.code == .tooManyPixels)
    #expect(result.bytesRead == 0, "not a byte of the pixels was read")
  }

  @Test func `A wrong size in the header is detected`() throws {
    let path = try studio.file("photo.png", of: SyntheticImage.slope(200, 200))
    var info = MediaInfo(type: .png, bytes: 0)
    info.width = 10
    info.height = 10
    var options = Thumbnailer.Options()
    options.limits.pixels = 1_000
    let input = try MediaInput(path: path)
    info.bytes = input.size
    let result = Thumbnailer(options: options).render(input, info: info, requests: [.box(5)])
    #expect(result.error?.code == .tooManyPixels)
  }

  @Test(arguments: ["long.jpg", "long.webp", "long.svg"])
  func `A long thin image stays visible`(name: String) throws {
    let path =
      name == "long.svg" ? studio.folder.path(name) : try studio.file(name, of: SyntheticImage.slope(4_000, 3))
    if name == "long.svg" {
      let drawing =
        #"<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="3"><rect width="9" height="9"/></svg>"#
      try Data(drawing.utf8).write(to: URL(fileURLWithPath: path))
    }
    let result = try studio.render(path, [.box(64)])
    #expect(result.error == nil)
    #expect(result.renditions.map(\.width) == [64])
    #expect(result.renditions.map(\.height) == [1])
  }

  /// A progressive grey JPEG of 64 × 64 pixels: a scan of means, and scans of details that say that there are none.
  private func progressive(scans: Int) -> [UInt8] {
    func table(_ id: UInt8, symbol: UInt8) -> [UInt8] {
      [0xFF, 0xC4, 0, 20, id, 1] + [UInt8](repeating: 0, count: 15) + [symbol]
    }
    let means: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
    // One run of 64 blocks without details: the code, then six bits of zero.
    let details: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 63, 0, 0x01]
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    file += [0xFF, 0xC2, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0]
    file += table(0x00, symbol: 0) + means + table(0x10, symbol: 0x60)
    for _ in 1..<scans { file += details }
    return file + [0xFF, 0xD9]
  }

  @Test func `A JPEG of endless scans is refused before it is decoded`() throws {
    func render(scans: Int) throws -> ThumbnailResult {
      let input = try MediaInput(bytes: progressive(scans: scans))
      var info = MediaInfo(type: .jpeg, bytes: input.size)
      info.width = 64
      info.height = 64
      return Thumbnailer().render(input, info: info, requests: [.box(64)])
    }
    #expect(try render(scans: 100).error == nil)
    let result = try render(scans: 101)
    #expect(result.error?.code == .corrupt)
    #expect(result.renditions.isEmpty)
  }

  /// A QOI image of one color: 63 bytes for each 3,844 pixels.
  @Test func `A still that needs too much memory fails independently of earlier ones`() throws {
    var file: [UInt8] = Array("qoif".utf8) + [0, 0, 0x23, 0x28, 0, 0, 0x23, 0x28, 4, 0]
    var left = 9_000 * 9_000
    while left > 0 {
      let run = min(62, left)
      file.append(0xC0 | UInt8(run - 1))
      left -= run
    }
    let input = try MediaInput(bytes: file + [0, 0, 0, 0, 0, 0, 0, 1])
    var info = MediaInfo(type: MediaType("image/x-qoi"), bytes: input.size)
    info.width = 9_000
    info.height = 9_000
    #expect(Thumbnailer().render(input, info: info, requests: [.box(8)]).error?.code == .outOfMemory)
  }

  @Test func `Without requests only the placeholder is made`() throws {
    let path = try studio.file("photo.png", of: SyntheticImage.slope(300, 200))
    let result = try studio.render(path, [])
    #expect(result.error == nil)
    #expect(result.renditions.isEmpty)
    #expect(result.placeholder != nil)
  }

  @Test func `A file with too many bytes is refused`() throws {
    let path = try studio.file("photo.png", of: SyntheticImage.slope(50, 50))
    var options = Thumbnailer.Options()
    options.limits.bytes = 10
    #expect(try studio.render(path, [.box(5)], options: options).error?.code == .tooLarge)
  }

  @Test func `A passed deadline stops the work`() throws {
    let path = try studio.file("photo.png", of: SyntheticImage.slope(500, 500))
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 0
    #expect(try studio.render(path, [.box(50)], options: options).error?.code == .timedOut)
  }

  @Test func `A deadline interrupts a running evaluation`() throws {
    // 100 megapixels take far longer to decode than the 30 ms they are given, on any machine; reading and opening do not.
    let path = studio.folder.path("large.png")
    try studio.check(studio.vips.run(["black", path + "[compression=1]", "10000", "10000"]))
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 0.03
    let result = try studio.render(path, [.box(50)], options: options)
    #expect(result.error?.code == .timedOut)
    #expect(result.renditions.isEmpty)
  }

  @Test func `An absurd box is refused`() throws {
    let path = try studio.file("photo.png", of: SyntheticImage.slope(50, 50))
    for side in [0, -1, 16_384, Int.max] {
      #expect(try studio.render(path, [.box(side)]).error?.code == .invalidRequest)
    }
  }

  @Test func `A truncated image gives a rendition and an error`() throws {
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: studio.file("photo.jpg", of: SyntheticImage.noise(300, 300, seed: 1))))
    let path = studio.folder.path("half.jpg")
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    let result = try studio.render(path, [.box(100)])
    #expect(result.error?.code == .truncated)
    #expect(result.renditions.count == 1)
  }

  @Test(arguments: [(1, 1), (1, 3_000), (20_000, 1), (3, 5_000), (16_000, 16)])
  func `Tiny and extremely long images have a rendition`(width: Int, height: Int) throws {
    let path = studio.folder.path("line.png")
    try studio.check(studio.vips.run(["black", path, "\(width)", "\(height)", "--bands", "3"]))
    let result = try studio.render(path, [.box(256, .webp), .box(64, .webp, fit: .cover(.centre))])
    #expect(result.error == nil)
    #expect(result.renditions.count == 2)
    #expect(result.renditions.allSatisfy { $0.width >= 1 && $0.height >= 1 && $0.width <= 256 && $0.height <= 256 })
    #expect(result.placeholder != nil)
  }

  @Test("Small images are enlarged only on request") func smallImagesAreEnlargedOnlyOnRequest() throws {
    let path = try studio.file("small.png", of: SyntheticImage.slope(40, 20))
    let small = try #require(try studio.render(path, [.box(100)]).renditions.first)
    #expect(small.width == 40)
    #expect(small.height == 20)
    var request = RenditionRequest.box(100)
    request.allowsUpscaling = true
    let large = try #require(try studio.render(path, [request]).renditions.first)
    #expect(large.width == 100)
    #expect(large.height == 50)
  }
}
