internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Which frame of a video becomes its poster.
@Suite(.timeLimit(.minutes(20))) struct PosterChoiceTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test(arguments: ["black", "white", "uniform", "blurred", "fade", "title"])
  func `A detailed frame is chosen`(name: String) throws {
    let result = try studio.render(Fixture.path("videos/choice-\(name).mp4"), [.box(96)])
    // The first position is in the two unsuitable seconds, the second one after them.
    #expect(result.posterTime == 2, "\(String(describing: result.error))")
    #expect(result.framesDecoded == 2)
    #expect(result.renditions.map(\.from) == [.poster])
  }

  @Test func `Frames after a single, black key frame are examined`() throws {
    let result = try studio.render(Fixture.path("videos/fade-in.mp4"), [.box(96)])
    let time = try #require(result.posterTime)
    #expect(time >= 0.5)
    #expect(time <= 1.9)
  }

  @Test func `A video that is all black keeps the first examined frame`() throws {
    let path = studio.folder.path("black.mp4")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=black:s=64x48:r=5:d=20", "-c:v", "libx264", "-g", "5", path,
      ]))
    let result = try studio.render(path, [.box(48)])
    #expect(result.posterTime == 2)
    #expect(result.framesDecoded == 5, "five places, five key frames")
    #expect(result.error == nil)
  }

  @Test(arguments: [
    (ThumbnailOptions.PosterPosition.seconds(0.4), 0.4), (.seconds(0.59), 0.4), (.seconds(3.2), 3.2),
    (.fraction(0.5), 4),
    (.seconds(0), 0), (.seconds(1e6), 7.8), (.fraction(1), 7.8), (.seconds(-3), 0), (.seconds(.nan), 0),
  ])
  func `A time is found to the frame`(position: ThumbnailOptions.PosterPosition, time: Double) throws {
    var options = Thumbnailer.Options()
    options.posterPosition = position
    let result = try studio.render(Fixture.path("videos/choice-title.mp4"), [.box(96)], options: options)
    #expect(abs(try #require(result.posterTime) - time) < 0.001)
  }

  /// The frames of a test video show their number, so that a wrong frame is a different image.
  @Test(arguments: ["mp4", "mkv", "ts", "avi", "flv", "mov", "webm", "mpg"])
  func `A position shows the same frame as FFmpeg`(container: String) throws {
    let path = studio.folder.path("numbers.\(container)")
    let codec = ["webm": "libvpx-vp9", "mpg": "mpeg1video", "avi": "mpeg4", "flv": "flv"][container] ?? "libx264"
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=4", "-c:v", codec, "-g", "25", "-b:v", "900k",
        path,
      ]))
    var options = Thumbnailer.Options()
    options.posterPosition = .seconds(2.5)
    let result = try studio.render(path, [.box(128)], options: options)
    let time = try #require(result.posterTime)
    // A container may shift its timestamps; the expected frame is the one shown at that time.
    #expect(abs(time - 2.5) <= 0.041, "\(time)")
    let image = try studio.pixels(of: try #require(result.renditions.first))
    let frame = Int((time * 25).rounded())
    let png = studio.folder.path("reference.png")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-y", "-i", path, "-vf",
        "select=eq(n\\,\(frame)),scale=in_color_matrix=bt601:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp",
        "-frames:v", "1", "-pix_fmt", "rgb24", png,
      ]))
    let comparison = try ImageComparison(reference: studio.pixels(of: png), actual: image)
    #expect(comparison.psnr > 30, "\(comparison)")
  }

  @Test func `The same file gives the same bytes`() throws {
    let paths = ["videos/choice-black.mp4", "videos/pq10.mp4", "videos/alpha.webm", "formats/clip.mpg"].map(
      Fixture.path)
    for path in paths {
      let requests: [RenditionRequest] = [.box(64, .webp), .box(32, .jpeg)]
      let first = try studio.render(path, requests)
      let second = try studio.render(path, requests)
      #expect(!first.renditions.isEmpty, "\(path)")
      #expect(first == second, "\(path)")
    }
  }
}
