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

  @Test func everyTileShowsItsPartOfTheFilm() throws {
    // Two seconds of white, six of a landscape; a key frame each second.
    let board = try storyboard(
      Fixture.path("videos/choice-white.mp4"), frames: 8, box: PixelSize(width: 96, height: 96))
    #expect(board.tiles.map(\.place) == (0..<8).map { PixelRect(x: $0 * 96, y: 0, width: 96, height: 54) })
    #expect(board.tiles.map(\.start) == (0..<8).map(Double.init))
    #expect(board.tiles.last?.end == 8)
    #expect(board.strip.type == .webp && board.strip.width == 768 && board.strip.height == 54)
    let strip = try studio.pixels(of: board.strip)
    let ground = board.tiles.map { strip[$0.place.x + 48, 50].prefix(3).reduce(0) { $0 + Int($1) } / 3 }
    #expect(ground.prefix(2).allSatisfy { $0 > 240 } && ground.dropFirst(2).allSatisfy { $0 < 80 }, "\(ground)")
  }

  @Test func theIndexIsWebVTT() throws {
    let board = try storyboard(
      Fixture.path("videos/choice-white.mp4"), frames: 2, box: PixelSize(width: 96, height: 96))
    #expect(
      board.webVTT(image: "a film.é.webp") == """
        WEBVTT

        00:00:00.000 --> 00:00:04.000
        a%20film.%C3%A9.webp#xywh=0,0,96,54

        00:00:04.000 --> 00:00:08.000
        a%20film.%C3%A9.webp#xywh=96,0,96,54

        """)
  }

  @Test func aTurnedFilmHasTurnedTiles() throws {
    let board = try storyboard(Fixture.path("videos/turn-90.mp4"), frames: 3)
    #expect(board.tiles.map(\.place.width) == [96, 96, 96] && board.tiles[0].place.height == 160)
  }

  @Test func aWideStripGoesOnInTheNextRow() throws {
    let board = try storyboard(Fixture.path("videos/choice-white.mp4"), frames: 120)
    #expect(board.tiles[101].place == PixelRect(x: 101 * 160, y: 0, width: 160, height: 90))
    #expect(board.tiles[102].place == PixelRect(x: 0, y: 90, width: 160, height: 90))
    #expect(board.strip.height == 180)
  }

  @Test(arguments: [0, -1, 1_001])
  func oddNumbersOfFramesAreRefused(frames: Int) throws {
    #expect { try storyboard(Fixture.path("videos/hevc.mp4"), frames: frames) } throws: {
      ($0 as? MediaFailure)?.code == .invalidRequest
    }
  }

  @Test(arguments: ["formats/picture.jpg", "videos/cover-only.mp4", "formats/tone.mp3"])
  func whatIsNoFilmHasNone(path: String) throws {
    #expect { try storyboard(Fixture.path(path), frames: 4) } throws: { ($0 as? MediaFailure)?.code == .unsupported }
  }
}
