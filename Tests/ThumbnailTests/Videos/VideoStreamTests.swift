internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Files with several streams, alpha, and layouts that few cameras write.
@Suite(.timeLimit(.minutes(20))) struct VideoStreamTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private func make(_ name: String, _ arguments: [String]) throws -> String {
    let path = studio.folder.path(name)
    try studio.check(studio.ffmpeg.run(["-v", "error"] + arguments + [path]))
    return path
  }

  @Test func `Facts and poster use the same stream`() throws {
    // FFV1 is not decoded here.
    let path = try make(
      "two.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=5:d=2", "-f", "lavfi", "-i", "testsrc2=s=60x180:r=5:d=2", "-map", "0",
        "-map", "1", "-c:v:0", "ffv1", "-c:v:1", "libx264", "-pix_fmt", "yuv420p", "-disposition:v:0", "default",
      ])
    let info = MediaProber().facts(of: try MediaInput(path: path))
    #expect(info.displaySize == PixelSize(width: 60, height: 180))
    #expect(info.videoCodec == "h264")
    let rendition = try #require(studio.render(path, [.box(90)]).renditions.first)
    #expect(rendition.width == 30)
    #expect(rendition.height == 90)
  }

  @Test func `The cover replaces an undecodable video`() throws {
    let path = try make(
      "covered.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=5:d=2", "-c:v", "ffv1", "-attach",
        Fixture.path("formats/picture.jpg"),
        "-metadata:s:t", "mimetype=image/jpeg", "-metadata:s:t", "filename=cover.jpg",
      ])
    let result = try studio.render(path, [.box(90)])
    #expect(result.renditions.map(\.from) == [.cover], "\(String(describing: result.error))")
  }

  /// Frames are counted from where the audio begins, as a player's clock is.
  @Test func `A position is relative to the start of the file`() throws {
    let path = try make(
      "late.mp4",
      [
        "-f", "lavfi", "-i", "sine=d=6", "-itsoffset", "2", "-f", "lavfi", "-i", "testsrc2=s=96x54:r=5:d=4", "-map",
        "1",
        "-map", "0", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-use_editlist", "0",
      ])
    var options = Thumbnailer.Options()
    options.posterPosition = .seconds(3)
    let time = try #require(studio.render(path, [.box(48)], options: options).posterTime)
    #expect(abs(time - 3) < 0.11, "\(time)")
  }

  @Test(arguments: ["mov", "webm"])
  func `Invisible colors do not bleed into alpha edges`(container: String) throws {
    let codec =
      container == "mov"
      ? ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"]
      : ["-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-crf", "4", "-b:v", "0"]
    // A white disc over transparent black.
    let disc = "if(lt(hypot(X-160,Y-90),70),255,0)"
    let path = try make(
      "disc.\(container)",
      [
        "-f", "lavfi", "-i",
        "color=black:s=320x180:r=5:d=0.4,format=rgba,geq=r='\(disc)':g='\(disc)':b='\(disc)':a='\(disc)'",
      ] + codec)
    let image = try studio.pixels(of: try #require(studio.render(path, [.box(80)]).renditions.first))
    var edges = 0
    for y in 0..<image.height {
      for x in 0..<image.width where (60...230).contains(image[x, y][3]) {
        edges += 1
        // What a chroma of half the size and a lossy codec leave of white.
        #expect(image[x, y][1] > 200, "\(x), \(y): \(image[x, y])")
      }
    }
    #expect(edges > 20)
  }

  @Test func `A transparent frame is no poster`() throws {
    let path = try make(
      "appears.webm",
      [
        "-f", "lavfi", "-i",
        "testsrc2=s=96x54:r=5:d=8,format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='255*gte(T,3)'",
        "-c:v", "libvpx-vp9", "-auto-alt-ref", "0", "-g", "5", "-keyint_min", "5", "-pix_fmt", "yuva420p",
      ])
    #expect(try #require(studio.render(path, [.box(48)]).posterTime) >= 3)
  }

  @Test func `A black paletted frame is black`() throws {
    let path = try make(
      "palette.mov",
      [
        "-f", "lavfi", "-i", "color=black:s=96x54:r=5:d=2", "-f", "lavfi", "-i", "testsrc2=s=96x54:r=5:d=8",
        "-filter_complex", "[0][1]concat,split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse", "-c:v",
        "qtrle", "-pix_fmt", "pal8", "-g", "5",
      ])
    #expect(try #require(studio.render(path, [.box(48)]).posterTime) >= 2)
  }

  /// Frames that others are made of keep their loop filters: without them each would be further off than the one before.
  @Test func `A position far from its key frame has full quality`() throws {
    let path = try make(
      "long.webm",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=4,noise=alls=12:allf=t", "-c:v", "libvpx", "-b:v", "300k", "-g",
        "250", "-cpu-used", "8", "-deadline", "realtime",
      ])
    var options = Thumbnailer.Options()
    options.posterPosition = .seconds(3.6)
    let small = try studio.render(path, [.box(128)], options: options)
    // The larger one forbids the short way, and the smaller one is made from it.
    let both = try studio.render(path, [.box(600), .box(128)], options: options)
    let comparison = try ImageComparison(
      reference: studio.pixels(of: try #require(both.renditions.last)),
      actual: studio.pixels(of: try #require(small.renditions.first)))
    #expect(comparison.psnr > 38, "\(comparison)")
  }
}
