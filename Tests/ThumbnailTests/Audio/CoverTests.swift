internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Where an audio file carries its cover, and which one is shown. In testdata/audio fronts are red, backs blue, others green.
@Suite struct CoverTests {
  private func render(_ name: String, _ change: (inout Thumbnailer.Options) -> Void = { _ in }) throws
    -> ThumbnailResult
  {
    var options = Thumbnailer.Options()
    change(&options)
    return try Studio().render(Fixture.path("audio/\(name)"), [.box(32)], options: options)
  }

  private func center(_ rendition: Rendition) throws -> [UInt8] {
    Array(try Studio().pixels(of: rendition)[rendition.width / 2, rendition.height / 2].prefix(3))
  }

  private func isNear(_ color: [UInt8], _ red: Int, _ green: Int, _ blue: Int) -> Bool {
    zip(color, [red, green, blue]).allSatisfy { abs(Int($0) - $1) <= 4 }
  }

  @Test(arguments: [
    "back-front.mp3", "id3v22.mp3", "unsync.mp3", "ape.mp3", "ape.wv", "covr.m4a", "picture.flac", "block.ogg",
    "block.opus",
  ])
  func `The front cover is used in any position`(name: String) throws {
    let result = try render(name)
    #expect(result.error == nil)
    let rendition = try #require(result.renditions.first)
    #expect(rendition.from == .cover)
    #expect(rendition.width == 32)
    #expect(rendition.height == 32)
    let color = try center(rendition)
    #expect(isNear(color, 0xC0, 0x20, 0x20), "\(color)")
    #expect(result.placeholder != nil)
    #expect(result.peaks?.count == 100)
    #expect(result.icon == nil)
  }

  @Test func `Without a front cover the first is used`() throws {
    let color = try center(try #require(render("no-front.mp3").renditions.first))
    #expect(isNear(color, 0x20, 0xA0, 0x40), "\(color)")
  }

  @Test(arguments: ["cut-cover.mp3", "huge-cover.mp3"]) func `The waveform replaces a corrupt cover`(name: String)
    throws
  {
    let result = try render(name)
    #expect(result.renditions.map(\.from) == [.waveform])
    #expect(result.error == nil)
    #expect(result.peaks?.count == 100)
  }

  @Test func `The image limits apply to covers`() throws {
    let result = try render("picture.flac") { $0.limits.pixels = 48 * 48 - 1 }
    #expect(result.renditions.map(\.from) == [.waveform])
    let small = try render("picture.flac") { $0.limits.bytes = 50 }
    #expect(small.renditions.map(\.from) == [.waveform])
  }

  @Test func `The waveform is used if preferred`() throws {
    let result = try render("picture.flac") { $0.prefersWaveform = true }
    #expect(result.renditions.map(\.from) == [.waveform])
  }

  @Test func `Audio with a cover is not decoded without need`() throws {
    // Longer than what is read at a time.
    let studio = try Studio()
    let path = studio.folder.path("noise.flac")
    try studio.check(
      studio.ffmpeg.run(
        ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=5:s=1", "-i", Fixture.path("audio/picture.flac")]
          + ["-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic", path]))
    let all = try studio.render(path, [.box(32)])
    var options = Thumbnailer.Options()
    options.peaks = 0
    let result = try studio.render(path, [.box(32)], options: options)
    #expect(result.renditions.map(\.from) == [.cover])
    #expect(result.peaks == nil)
    #expect(result.bytesRead < all.bytesRead)
  }

  @Test func `The file name identifies the front cover in Matroska`() throws {
    let studio = try Studio()
    let path = studio.folder.path("covers.mka")
    var arguments = ["-v", "error", "-f", "lavfi", "-i", "sine=d=1"]
    for (index, (name, color)) in [("small_cover.png", "blue"), ("cover_land.png", "green"), ("Cover.png", "red")]
      .enumerated()
    {
      let image = studio.folder.path(name)
      try studio.check(
        studio.ffmpeg.run(["-v", "error", "-f", "lavfi", "-i", "color=\(color):s=48x48", "-frames:v", "1", image]))
      arguments += ["-attach", image, "-metadata:s:t:\(index)", "mimetype=image/png"]
      arguments += ["-metadata:s:t:\(index)", "filename=\(name)"]
    }
    try studio.check(studio.ffmpeg.run(arguments + [path]))
    let rendition = try #require(try studio.render(path, [.box(32)]).renditions.first)
    #expect(rendition.from == .cover)
    let color = try center(rendition)
    #expect(color[0] > 230, "\(color)")
    #expect(color[1] < 20, "\(color)")
    #expect(color[2] < 20, "\(color)")
  }

  @Test func `A crop outside of the cover is refused`() throws {
    var request = RenditionRequest.box(32)
    request.crop = PixelRect(x: 0, y: 0, width: 24, height: 48)
    let cut = try Studio().render(Fixture.path("audio/picture.flac"), [request])
    #expect(cut.renditions.map(\.width) == [16])
    request.crop = PixelRect(x: 40, y: 0, width: 24, height: 24)
    let refused = try Studio().render(Fixture.path("audio/picture.flac"), [request])
    #expect(refused.error?.code == .invalidRequest)
    #expect(refused.renditions.isEmpty)
  }
}
