import Foundation
import MediaModel
import MediaProbe
import TestSupport
import Testing
import Thumbnails

@Suite struct LimitTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test func aPictureWithTooManyPixelsIsRefusedBeforeItIsDecoded() throws {
    let path = try studio.file("photo.png", of: SyntheticPicture.slope(101, 100))
    var options = Thumbnailer.Options()
    options.limits.pixels = 10_100
    #expect(try studio.render(path, [.box(50)], options: options).error == nil, "equal to the limit is allowed")
    options.limits.pixels = 10_099
    let result = try studio.render(path, [.box(50)], options: options)
    #expect(result.error?.code == .tooManyPixels)
    #expect(result.bytesRead == 0, "not a byte of the pixels was read")
  }

  @Test func aHeaderThatLiesAboutTheSizeIsFoundOut() throws {
    let path = try studio.file("photo.png", of: SyntheticPicture.slope(200, 200))
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

  @Test func aFileWithTooManyBytesIsRefused() throws {
    let path = try studio.file("photo.png", of: SyntheticPicture.slope(50, 50))
    var options = Thumbnailer.Options()
    options.limits.bytes = 10
    #expect(try studio.render(path, [.box(5)], options: options).error?.code == .tooLarge)
  }

  @Test func aDeadlineThatHasPassedStopsTheWork() throws {
    let path = try studio.file("photo.png", of: SyntheticPicture.slope(500, 500))
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 0
    #expect(try studio.render(path, [.box(50)], options: options).error?.code == .timedOut)
  }

  @Test func aDeadlineStopsAnEvaluationThatIsUnderWay() throws {
    // 100 megapixels take far longer to decode than the 30 ms they are given, on any machine; reading and opening do not.
    let path = studio.folder.path("large.png")
    try studio.check(studio.vips.run(["black", path + "[compression=1]", "10000", "10000"]))
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 0.03
    let result = try studio.render(path, [.box(50)], options: options)
    #expect(result.error?.code == .timedOut)
    #expect(result.renditions.isEmpty)
  }

  @Test func anAbsurdBoxIsRefused() throws {
    let path = try studio.file("photo.png", of: SyntheticPicture.slope(50, 50))
    for side in [0, -1, 16_384, Int.max] {
      #expect(try studio.render(path, [.box(side)]).error?.code == .invalidRequest)
    }
  }

  @Test func aTruncatedPictureGivesWhatIsThereAndItsReason() throws {
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: studio.file("photo.jpg", of: SyntheticPicture.noise(300, 300, seed: 1))))
    let path = studio.folder.path("half.jpg")
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    let result = try studio.render(path, [.box(100)])
    #expect(result.error?.code == .truncated)
    #expect(result.renditions.count == 1)
  }

  @Test(arguments: [(1, 1), (1, 3_000), (20_000, 1), (3, 5_000), (16_000, 16)])
  func tinyAndExtremelyLongPicturesHaveAPicture(width: Int, height: Int) throws {
    let path = studio.folder.path("line.png")
    try studio.check(studio.vips.run(["black", path, "\(width)", "\(height)", "--bands", "3"]))
    let result = try studio.render(path, [.box(256, .webp), .box(64, .webp, fit: .cover(.centre))])
    #expect(result.error == nil)
    #expect(result.renditions.count == 2)
    #expect(result.renditions.allSatisfy { $0.width >= 1 && $0.height >= 1 && $0.width <= 256 && $0.height <= 256 })
    #expect(result.placeholder != nil)
  }

  @Test func smallPicturesAreEnlargedOnlyOnRequest() throws {
    let path = try studio.file("small.png", of: SyntheticPicture.slope(40, 20))
    let small = try #require(try studio.render(path, [.box(100)]).renditions.first)
    #expect(small.width == 40 && small.height == 20)
    var request = RenditionRequest.box(100)
    request.allowsUpscaling = true
    let large = try #require(try studio.render(path, [request]).renditions.first)
    #expect(large.width == 100 && large.height == 50)
  }
}
