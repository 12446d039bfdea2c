internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Files that end too early show what is whole, and say so.
@Suite struct TruncationTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private var moving: RenditionRequest {
    var request = RenditionRequest.box(64, .webp)
    request.animated = true
    return request
  }

  /// Twelve noisy frames, cut off in percent of their bytes.
  private func cut(_ name: String, _ arguments: [String], to percent: Int) throws -> String {
    let path = studio.folder.path(name)
    try studio.check(
      studio.ffmpeg.run(
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=120x80:rate=5:duration=2.4,noise=alls=20:all_seed=1"]
          + arguments + ["-y", path]))
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try whole.prefix(whole.count * percent / 100).write(to: URL(fileURLWithPath: path))
    return path
  }

  static let formats: [(String, [String])] = [
    ("clip.gif", []), ("clip.webp", ["-c:v", "libwebp_anim", "-lossless", "1"]), ("clip.apng", ["-plays", "0"]),
    (
      "clip.avif",
      ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "1", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
    ),
  ]

  @Test(arguments: formats, [50, 75, 97])
  func `The complete frames are kept`(format: (String, [String]), percent: Int) throws {
    let path = try cut(format.0, format.1, to: percent)
    let result = try studio.render(path, [moving])
    #expect(result.error?.code == .truncated)
    let rendition = try #require(result.renditions.first)
    // One frame more or less than the share of bytes, because frames differ in size.
    #expect(abs(rendition.frames - 12 * percent / 100) <= 2, "\(rendition.frames) frames of \(percent) %")
    #expect(rendition.width == 64)
    #expect(rendition.height == 43)
  }

  @Test(arguments: formats)
  func `A still of a truncated animation is the first frame`(format: (String, [String])) throws {
    let whole = try studio.render(try cut(format.0, format.1, to: 100), [.box(64)])
    let part = try studio.render(try cut(format.0, format.1, to: 75), [.box(64)])
    #expect(whole.error == nil)
    #expect(part.error?.code == .truncated)
    let first = try #require(whole.renditions.first)
    #expect(try studio.pixels(of: #require(part.renditions.first)) == studio.pixels(of: first))
  }
}
