import Foundation
import MediaModel
import TestSupport
import Testing
import Thumbnails

@Suite struct AnimationTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  /// Six frames of 200 ms: a clock that goes round.
  private func clip(_ name: String, _ arguments: [String]) throws -> String {
    let path = studio.folder.path(name)
    try studio.check(
      studio.ffmpeg.run(
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=120x80:rate=5:duration=1.2"] + arguments + ["-y", path]))
    return path
  }

  private var moving: RenditionRequest {
    var request = RenditionRequest.box(60, .webp)
    request.animated = true
    return request
  }

  @Test(
    arguments: [
      ("clip.gif", []), ("clip.webp", ["-c:v", "libwebp_anim", "-lossless", "1"]), ("clip.apng", ["-plays", "0"]),
      ("clip.avif", ["-c:v", "libaom-av1", "-cpu-used", "8", "-pix_fmt", "yuv420p"]),
    ] as [(String, [String])])
  func anAnimationStaysOne(name: String, arguments: [String]) throws {
    let path = try clip(name, arguments)
    let rendition = try #require(try studio.render(path, [moving]).renditions.first)
    #expect(rendition.frames == 6)
    #expect(rendition.width == 60 && rendition.height == 40)
    let webp = try studio.write(rendition)
    let header = try studio.check(Tool("vipsheader", package: "libvips-tools").run(["-a", webp])).text
    #expect(header.contains("n-pages: 6"))
    #expect(header.contains("delay: 200 200 200 200 200 200"), "\(header)")
  }

  @Test func withoutBeingAskedItIsItsFirstFrame() throws {
    let path = try clip("clip.gif", [])
    let rendition = try #require(try studio.render(path, [.box(60, .webp)]).renditions.first)
    #expect(rendition.frames == 1)
  }

  @Test func aCoverCutsEveryFrame() throws {
    var request = RenditionRequest.box(40, .webp, fit: .cover(.centre))
    request.animated = true
    let rendition = try #require(try studio.render(clip("clip.gif", []), [request]).renditions.first)
    #expect(rendition.frames == 6 && rendition.width == 40 && rendition.height == 40)
  }

  @Test func overTheBudgetItIsAStillAndSaysSo() throws {
    var options = Thumbnailer.Options()
    options.limits.frames = 5
    let result = try studio.render(clip("clip.gif", []), [moving], options: options)
    #expect(result.renditions.map(\.frames) == [1])
    #expect(result.error?.code == .tooManyFrames)
  }

  @Test func aStillBesideItIsTheFirstFrame() throws {
    let path = try clip("clip.gif", [])
    let result = try studio.render(path, [.box(60, .png), moving])
    #expect(result.renditions.map(\.frames) == [1, 6])
  }
}
