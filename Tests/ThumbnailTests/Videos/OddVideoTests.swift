internal import FileSupport
internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Videos that are damaged, short, or none at all.
@Suite(.timeLimit(.minutes(20))) struct OddVideoTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test func `A truncated video has a poster and an error`() throws {
    let result = try studio.render(Fixture.path("videos/cut.mp4"), [.box(96)])
    #expect(result.renditions.count == 1)
    #expect(result.error?.code == .truncated)
  }

  @Test(arguments: ["videos/no-index.avi", "videos/bad-index.avi", "videos/one-frame.mp4", "videos/odd-tags.mp4"])
  func `Unusual videos have a poster`(path: String) throws {
    let result = try studio.render(Fixture.path(path), [.box(96)])
    #expect(result.renditions.map(\.from) == [.poster], "\(String(describing: result.error))")
    #expect(result.placeholder != nil)
  }

  @Test func `A video with only a cover shows the cover`() throws {
    let result = try studio.render(Fixture.path("videos/cover-only.mp4"), [.box(96)])
    #expect(result.renditions.map(\.from) == [.cover], "\(String(describing: result.error))")
    #expect(result.posterTime == nil)
  }

  @Test func `A cover is not mistaken for the video`() throws {
    let path = studio.folder.path("covered.mp4")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-i", Fixture.path("formats/picture.jpg"), "-i", Fixture.path("videos/turn-90.mp4"), "-map", "0",
        "-map", "1", "-c", "copy", "-disposition:v:0", "attached_pic", path,
      ]))
    let result = try studio.render(path, [.box(160)])
    let rendition = try #require(result.renditions.first, "\(String(describing: result.error))")
    #expect(rendition.from == .poster)
    #expect(rendition.width == 96)
    #expect(rendition.height == 160)
  }

  @Test func `A file without video stream has a defined failure`() throws {
    var info = MediaInfo(type: MediaType("video/mp4"), bytes: 0)
    info.kind = .video
    let result = try studio.render(Fixture.path("formats/audio-only.mp4"), info: info, [.box(96)])
    #expect(result.renditions.isEmpty)
    #expect(result.error?.code == .unsupported)
    #expect(result.error?.message == "The file has no video stream.")
  }

  @Test func `An index beyond the file is corrupt`() throws {
    var bytes = try Fixture.bytes("videos/one-frame.mp4")
    let at = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("stco".utf8) })
    bytes.replaceSubrange(at + 12..<at + 16, with: [0x7F, 0xFF, 0xFF, 0])
    let input = try MediaInput(bytes: bytes)
    let result = Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [.box(96)])
    #expect(result.renditions.isEmpty)
    #expect([.corrupt, .truncated].contains(try #require(result.error?.code)))
  }

  @Test func `A video from a pipe has a poster`() throws {
    var memory = try MemoryFile(limit: 1 << 20)
    try memory.append(try Fixture.bytes("formats/clip.mp4"))
    let input = try MediaInput(memory)
    let result = Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [.box(96)])
    #expect(result.renditions.count == 1)
    #expect(result.error == nil)
  }

  @Test func `Too many pixels are refused before the file is opened`() throws {
    var options = Thumbnailer.Options()
    options.limits.pixels = 160 * 96
    #expect(try studio.render(Fixture.path("videos/hevc.mp4"), [.box(96)], options: options).error == nil)
    options.limits.pixels -= 1
    let result = try studio.render(Fixture.path("videos/hevc.mp4"), [.box(96)], options: options)
    #expect(result.error?.code == .tooManyPixels)
    #expect(result.bytesRead == 0)
  }

  @Test func `A wrong size in the header is detected`() throws {
    let input = try MediaInput(path: Fixture.path("videos/untagged-large.mp4"))
    var info = MediaProber().facts(of: input)
    info.width = 16
    info.height = 9
    var options = Thumbnailer.Options()
    options.limits.pixels = 10_000
    let result = Thumbnailer(options: options).render(input, info: info, requests: [.box(8)])
    #expect(result.renditions.isEmpty)
    #expect(result.error?.code == .tooManyPixels)
  }

  @Test func `The deadline of a poster stops`() throws {
    var options = Thumbnailer.Options()
    options.limits.posterSeconds = 0
    let result = try studio.render(Fixture.path("videos/hevc.mp4"), [.box(96)], options: options)
    #expect(result.renditions.isEmpty)
    #expect(result.error?.code == .timedOut)
    options.limits.posterSeconds = 15
    options.limits.renderSeconds = 0
    #expect(try studio.render(Fixture.path("videos/hevc.mp4"), [.box(96)], options: options).error == nil)
  }

  @Test func `A motion photo gives its still`() throws {
    let result = try studio.render(Fixture.path("videos/motion.jpg"), [.box(96)])
    #expect(result.renditions.map(\.from) == [.image])
    #expect(result.error == nil)
    #expect(result.posterTime == nil)
  }

  @Test(arguments: 0..<60)
  func `Flipped bytes give a result`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
    let fixture = try #require(Fixture.all(in: "videos/").randomElement(using: &generator))
    var bytes = try Fixture.bytes(fixture.path)
    for _ in 0..<Int.random(in: 1...20, using: &generator) {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
    }
    let input = try MediaInput(bytes: bytes)
    let info = MediaProber().facts(of: input)
    let result = Thumbnailer().render(input, info: info, requests: [.box(64, .webp)])
    #expect(result.renditions.count == 1 || result.error != nil, "\(fixture.path), seed \(seed)")
    _ = try? Thumbnailer().storyboard(input, info: info, frames: 5)
  }
}
