internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

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
  func `An animation stays animated`(name: String, arguments: [String]) throws {
    let path = try clip(name, arguments)
    let rendition = try #require(try studio.render(path, [moving]).renditions.first)
    #expect(rendition.frames == 6)
    #expect(rendition.width == 60)
    #expect(rendition.height == 40)
    let webp = try studio.write(rendition)
    let header = try studio.check(Tool("vipsheader", package: "libvips-tools").run(["-a", webp])).text
    #expect(header.contains("n-pages: 6"))
    #expect(header.contains("delay: 200 200 200 200 200 200"), "\(header)")
  }

  @Test func `By default only the first frame is used`() throws {
    let path = try clip("clip.gif", [])
    let rendition = try #require(try studio.render(path, [.box(60, .webp)]).renditions.first)
    #expect(rendition.frames == 1)
  }

  /// A moving box that stands at the left at first.
  @Test(arguments: ["animated/box.avif", "animated/box.heics"])
  func `A sequence is shown by its first frame`(name: String) throws {
    let result = try studio.render(Fixture.path(name), [.box(96)])
    #expect(result.error == nil, "\(String(describing: result.error))")
    let rendition = try #require(result.renditions.first)
    #expect(rendition.width == 96)
    #expect(rendition.height == 64)
    #expect(rendition.frames == 1)
    #expect(rendition.from == .image)
    let image = try studio.pixels(of: rendition)
    #expect(zip(image[12, 28], [240, 192, 64]).allSatisfy { abs(Int($0) - $1) <= 12 }, "\(image[12, 28])")
    #expect(zip(image[60, 28], [32, 64, 96]).allSatisfy { abs(Int($0) - $1) <= 12 }, "\(image[60, 28])")
  }

  private static let sequences: [String] =
    ["animated/box.avif", "animated/box.heics"].map { Fixture.path($0) }
    + (Corpus.isPresent
      ? [
        "glide-animated_avif.avif", "glide-dl_world_anim_avif.avif", "libavif-colors-animated-8bpc.avif",
        "libavif-colors-animated-8bpc-alpha-exif-xmp.avif", "pillow-star.avifs",
      ].map { Corpus.path("animated/\($0)") } : [])

  /// libheif shows the primary item of a sequence, ffmpeg the first frame of its track.
  @Test(arguments: sequences) func `The first frame of a sequence matches FFmpeg`(path: String) throws {
    let rendition = try #require(try studio.render(path, [.box(512)]).renditions.first)
    let ours = try studio.pixels(of: rendition)
    func frame(_ number: Int) throws -> PixelBuffer {
      let pick = "select=eq(n\\,\(number))"
      let output = try studio.check(
        studio.ffmpeg.run(
          ["-v", "error", "-i", path, "-map", "0:v:0", "-vf", pick, "-frames:v", "1"]
            + ["-f", "image2pipe", "-c:v", "pam", "-pix_fmt", "rgba", "-"]))
      return try PixelBuffer(pnm: output.bytes)
    }
    // The track of colors has no alpha: it is compared where ours is opaque.
    let first = try frame(0)
    let second = try frame(1)
    try #require(ours.size == first.size)
    func distance(_ other: PixelBuffer) -> Double {
      var sum = 0
      var count = 0
      for y in 0..<ours.height {
        for x in 0..<ours.width where ours[x, y][3] == 255 {
          sum += zip(ours[x, y], other[x, y]).prefix(3).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
          count += 3
        }
      }
      return Double(sum) / Double(max(1, count))
    }
    // Between two ways to make full colors of halved ones lies more than rounding.
    #expect(distance(first) < 8, "\(distance(first))")
    // Where all of two frames that is opaque is alike, none is nearer.
    #expect(distance(first) < distance(second) || distance(first) == 0)
  }

  @Test func `Cover crops every frame`() throws {
    var request = RenditionRequest.box(40, .webp, fit: .cover(.centre))
    request.animated = true
    let rendition = try #require(try studio.render(clip("clip.gif", []), [request]).renditions.first)
    #expect(rendition.frames == 6)
    #expect(rendition.width == 40)
    #expect(rendition.height == 40)
  }

  @Test(arguments: [1, 2])
  func `A crop applies to every frame`(sizes: Int) throws {
    var request = RenditionRequest.box(60, .webp)
    request.animated = true
    request.crop = PixelRect(x: 10, y: 20, width: 50, height: 31)
    var other = request
    other.name = "other"
    other.crop = nil
    let result = try studio.render(clip("clip.gif", []), sizes == 1 ? [request] : [request, other])
    let rendition = try #require(result.renditions.first)
    #expect(rendition.frames == 6)
    #expect(rendition.width == 50)
    #expect(rendition.height == 31)
  }

  @Test func `An animation enlarged beyond the limit becomes a still`() throws {
    var request = RenditionRequest.box(240, .webp)
    request.animated = true
    request.allowsUpscaling = true
    var options = Thumbnailer.Options()
    options.limits.animationPixels = 240 * 160 * 6
    let path = try clip("clip.gif", [])
    #expect(try studio.render(path, [request], options: options).renditions.first?.frames == 6)
    options.limits.animationPixels -= 1
    let result = try studio.render(path, [request], options: options)
    #expect(result.renditions.first?.frames == 1)
    #expect(result.error?.code == .tooManyPixels)
  }

  @Test func `An animation over the limit becomes a still with an error`() throws {
    var options = Thumbnailer.Options()
    options.limits.frames = 5
    let result = try studio.render(clip("clip.gif", []), [moving], options: options)
    #expect(result.renditions.map(\.frames) == [1])
    #expect(result.error?.code == .tooManyFrames)
  }

  @Test func `A still in the same call is the first frame`() throws {
    let path = try clip("clip.gif", [])
    let result = try studio.render(path, [.box(60, .png), moving])
    #expect(result.renditions.map(\.frames) == [1, 6])
  }

  @Test func `Every frame has the EXIF orientation applied`() throws {
    let fixture = try #require(Fixture.named("orientation/animated-6.webp"))
    var request = RenditionRequest.box(96, .webp)
    request.animated = true
    var square = request
    square.fit = .cover(.centre)
    square.box = PixelSize(width: 64, height: 64)
    var part = request
    part.crop = PixelRect(x: 96, y: 0, width: 96, height: 64)
    let renditions = try studio.render(fixture.absolutePath, [request, square, part]).renditions
    #expect(renditions.map(\.frames) == [2, 2, 2])
    #expect(renditions.map(\.width) == [96, 64, 96])
    #expect(renditions.map(\.height) == [64, 64, 64])
    // Red and green above, blue and yellow below; the second frame is white.
    let first = try studio.pixels(of: renditions[0])
    for (x, y, color) in [
      (10, 8, [208, 32, 32]), (86, 8, [32, 160, 64]), (10, 56, [32, 64, 192]), (86, 56, [224, 192, 32]),
    ] {
      #expect(zip(first[x, y], color).allSatisfy { abs(Int($0) - $1) <= 16 }, "\(first[x, y]) for \(color)")
    }
    let green = try studio.pixels(of: renditions[2])[80, 10]
    #expect(zip(green, [32, 160, 64]).allSatisfy { abs(Int($0) - $1) <= 16 }, "\(green)")
    let second = try studio.pixels(of: studio.write(renditions[0]) + "[page=1]")
    try #require(second.width == 96)
    try #require(second.height == 64)
    #expect(second[48, 32] == [255, 255, 255, 255])
  }
}
