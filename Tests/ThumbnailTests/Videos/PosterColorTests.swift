internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Posters against what ffmpeg itself shows of the same frame.
@Suite(.timeLimit(.minutes(20))) struct PosterColorTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  /// The frame at that second through ffmpeg's filters, as pixels.
  private func reference(_ path: String, filter: String) throws -> PixelBuffer {
    let png = studio.folder.path("\(UUID().uuidString).png")
    try studio.check(
      studio.ffmpeg.run(["-v", "error", "-i", path, "-vf", filter, "-frames:v", "1", "-pix_fmt", "rgb24", png]))
    return try studio.pixels(of: png)
  }

  private func first(_ path: String, side: Int = 2_000) throws -> PixelBuffer {
    var options = Thumbnailer.Options()
    options.posterPosition = .seconds(0)
    let result = try studio.render(path, [.box(side)], options: options)
    return try studio.pixels(of: try #require(result.renditions.first, "\(String(describing: result.error))"))
  }

  /// Tolerance: 30 dB and two levels in the mean, for the two may put chroma in other places between the pixels.
  @Test(arguments: [
    "clip.mp4", "clip.mov", "clip.m4v", "clip.3gp", "clip.3g2", "clip.webm", "clip.mkv", "clip.avi", "clip.ts",
    "clip.mpg", "clip.ogv", "clip.flv", "clip.wmv",
  ])
  func `Every container shows the same frame as FFmpeg`(name: String) throws {
    let path = Fixture.path("formats/\(name)")
    let expected = try reference(
      path, filter: "scale=in_color_matrix=bt601:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp")
    let comparison = try ImageComparison(reference: expected, actual: first(path))
    #expect(comparison.psnr >= 30, "\(comparison)")
    #expect(comparison.meanDifference.allSatisfy { abs($0) <= 2 }, "\(comparison)")
  }

  @Test func `A reduced poster matches one of the whole frame`() throws {
    let path = studio.folder.path("large.mp4")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-loop", "1", "-i", Fixture.path("hdr/gainmap-xmp.jpg"), "-t", "0.2", "-vf",
        "scale=1920:1280:out_color_matrix=bt709", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "10", path,
      ]))
    let whole = try reference(path, filter: "scale=in_color_matrix=bt709:flags=accurate_rnd+full_chroma_int")
    let expected = try studio.vipsthumbnail(try studio.file("whole.png", of: whole), side: 256)
    let comparison = try ImageComparison(reference: expected, actual: first(path, side: 256))
    // The loop filters are skipped at this size too: two reductions and that together leave 36 dB.
    #expect(comparison.psnr >= 36, "\(comparison)")
    #expect(comparison.meanDifference.allSatisfy { abs($0) <= 1 }, "\(comparison)")
    #expect(abs(comparison.shiftX) <= 0.15, "\(comparison)")
    #expect(abs(comparison.shiftY) <= 0.15, "\(comparison)")
  }

  /// ffmpeg's zscale and tonemap, with its mobius curve, which also keeps the lower levels unchanged. Two tone maps never agree in the highlights:
  /// 18 dB and fifteen levels in the mean distinguish a mapped image from the grey one without mapping.
  @Test(arguments: ["pq10", "hlg10", "dolby-vision-8"])
  func `HDR matches FFmpeg's tone map`(name: String) throws {
    let path = Fixture.path("videos/\(name).mp4")
    let expected = try reference(
      path,
      filter: "zscale=transfer=linear:npl=203,format=gbrpf32le,zscale=primaries=bt709,tonemap=mobius:desat=0,"
        + "zscale=transfer=iec61966-2-1:matrix=gbr:range=full,format=gbrp")
    let mapped = try ImageComparison(reference: expected, actual: first(path))
    let grey = try ImageComparison(
      reference: expected, actual: reference(path, filter: "scale=in_color_matrix=bt2020:flags=accurate_rnd"))
    #expect(mapped.psnr >= 18, "\(mapped), unmapped \(grey)")
    #expect(mapped.psnr > grey.psnr, "\(mapped), unmapped \(grey)")
    #expect(mapped.meanDifference.allSatisfy { abs($0) <= 15 }, "\(mapped)")
  }

  @Test func `The container provides a missing transfer function`() throws {
    let path = studio.folder.path("untagged.mkv")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-i", Fixture.path("videos/hlg10.mp4"), "-c:v", "libx264", "-crf", "8", "-pix_fmt",
        "yuv420p10le",
        "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "unknown", path,
      ]))
    let input = try MediaInput(path: path)
    var info = MediaProber().facts(of: input)
    #expect(info.hdr == nil)
    info.hdr = .hlg
    let result = Thumbnailer().render(input, info: info, requests: [.box(160)])
    let pixel = try studio.pixels(of: try #require(result.renditions.first))[40, 24]
    #expect(pixel.prefix(3).allSatisfy { abs(Int($0) - 165) <= 8 }, "\(pixel)")
  }

  @Test(arguments: ["videos/alpha.mov", "videos/alpha.webm", "formats/alpha.webm"])
  func `Alpha is kept in WebP`(path: String) throws {
    let result = try studio.render(Fixture.path(path), [.box(160, .webp)])
    let image = try studio.pixels(of: try #require(result.renditions.first))
    let right = image[image.width - 4, image.height / 2][3]
    #expect(image[4, image.height / 2][3] > 250, "\(right)")
    #expect(right < 5, "\(right)")
  }
}
