internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite(.timeLimit(.minutes(20))) struct StoryboardTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private func storyboard(_ path: String, frames: Int, box: PixelSize = PixelSize(width: 160, height: 160)) throws
    -> Storyboard
  {
    let input = try MediaInput(path: path)
    return try Thumbnailer().storyboard(input, info: MediaProber().facts(of: input), frames: frames, box: box)
  }

  @Test func `Every tile shows its part of the video`() throws {
    // Two seconds of white, six of a landscape; a key frame each second.
    let board = try storyboard(
      Fixture.path("videos/choice-white.mp4"), frames: 8, box: PixelSize(width: 96, height: 96))
    #expect(board.tiles.map(\.place) == (0..<8).map { PixelRect(x: $0 * 96, y: 0, width: 96, height: 54) })
    #expect(board.tiles.map(\.start) == (0..<8).map(Double.init))
    #expect(board.tiles.last?.end == 8)
    #expect(board.strip.type == .webp)
    #expect(board.strip.width == 768)
    #expect(board.strip.height == 54)
    let strip = try studio.pixels(of: board.strip)
    let ground = board.tiles.map { strip[$0.place.x + 48, 50].prefix(3).reduce(0) { $0 + Int($1) } / 3 }
    #expect(ground.prefix(2).allSatisfy { $0 > 240 }, "\(ground)")
    #expect(ground.dropFirst(2).allSatisfy { $0 < 80 }, "\(ground)")
  }

  @Test func `The index is WebVTT`() throws {
    let board = try storyboard(
      Fixture.path("videos/choice-white.mp4"), frames: 2, box: PixelSize(width: 96, height: 96))
    #expect(
      board.webVTT(image: "a video.é.webp") == """
        WEBVTT

        00:00:00.000 --> 00:00:04.000
        a%20video.%C3%A9.webp#xywh=0,0,96,54

        00:00:04.000 --> 00:00:08.000
        a%20video.%C3%A9.webp#xywh=96,0,96,54

        """)
  }

  @Test func `A rotated video has rotated tiles`() throws {
    let board = try storyboard(Fixture.path("videos/turn-90.mp4"), frames: 3)
    try #require(board.tiles.map(\.place.width) == [96, 96, 96])
    #expect(board.tiles[0].place.height == 160)
  }

  @Test func `A wide strip wraps to the next row`() throws {
    let board = try storyboard(Fixture.path("videos/choice-white.mp4"), frames: 120)
    #expect(board.tiles[101].place == PixelRect(x: 101 * 160, y: 0, width: 160, height: 90))
    #expect(board.tiles[102].place == PixelRect(x: 0, y: 90, width: 160, height: 90))
    #expect(board.strip.height == 180)
  }

  @Test(arguments: ["avi", "mp4", "mkv"])
  func `A video without an index is read sequentially`(container: String) throws {
    let path = studio.folder.path("video.\(container)")
    let flags =
      ["mp4": ["-movflags", "frag_keyframe+empty_moov+skip_trailer"], "mkv": ["-f", "matroska"]][container] ?? []
    let output = container == "mkv" ? "pipe:1" : path
    let made = try studio.check(
      studio.ffmpeg.run(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x108:r=5:d=60", "-c:v",
          container == "avi" ? "mpeg4" : "libx264",
          "-g", "10", "-pix_fmt", "yuv420p",
        ] + flags + [output]))
    if container == "mkv" { try Data(made.bytes).write(to: URL(fileURLWithPath: path)) }
    if container == "avi" {
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let index = try #require(bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual("idx1".utf8) })
      bytes.replaceSubrange(index..<index + 4, with: "JUNK".utf8)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let board = try storyboard(path, frames: 4, box: PixelSize(width: 96, height: 96))
    let strip = try studio.pixels(of: board.strip)
    let tiles = Set(
      board.tiles.map { tile in
        (0..<tile.place.height).flatMap { row in
          (0..<tile.place.width).flatMap { strip[tile.place.x + $0, tile.place.y + row] }
        }
      })
    #expect(tiles.count == 4, "each shows another moment")
  }

  @Test func `A strip that is too large is refused in advance`() throws {
    #expect {
      try storyboard(
        Fixture.path("videos/untagged-large.mp4"), frames: 1_000, box: PixelSize(width: 1_280, height: 720))
    } throws: { ($0 as? MediaFailure)?.code == .invalidRequest }
  }

  @Test(arguments: [0, -1, 1_001])
  func `Invalid frame counts are refused`(frames: Int) throws {
    #expect { try storyboard(Fixture.path("videos/hevc.mp4"), frames: frames) } throws: {
      ($0 as? MediaFailure)?.code == .invalidRequest
    }
  }

  @Test(arguments: ["formats/picture.jpg", "videos/cover-only.mp4", "formats/tone.mp3"])
  func `Other files have no storyboard`(path: String) throws {
    #expect { try storyboard(Fixture.path(path), frames: 4) } throws: { ($0 as? MediaFailure)?.code == .unsupported }
  }
}
