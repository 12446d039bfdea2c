internal import CMediaShims
internal import Foundation
internal import Glibc
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Videos with broken key frames, none at all, or less of them than they say.
@Suite(.timeLimit(.minutes(20))) struct DamagedVideoTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  /// Six seconds of black and twenty of a test card, a key frame every two.
  private func video(_ name: String) throws -> String {
    let path = studio.folder.path(name)
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=black:s=192x108:r=5:d=6", "-f", "lavfi", "-i",
        "testsrc2=s=192x108:r=5:d=20", "-filter_complex", "[0][1]concat", "-c:v", "libx264", "-g", "10", "-keyint_min",
        "10", "-sc_threshold", "0", "-pix_fmt", "yuv420p", "-movflags", "+faststart", path,
      ]))
    return path
  }

  /// Offset, size and time of the key frames.
  private func keyFrames(_ path: String) throws -> [(offset: Int, size: Int, time: Double)] {
    let probe = try Tool("ffprobe", package: "ffmpeg")
    let output = try studio.check(
      probe.run(["-v", "error", "-show_entries", "packet=pts_time,size,pos,flags", "-of", "csv=p=0", path]))
    return String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ",")
      guard parts.count >= 4, parts[3].hasPrefix("K"), let time = Double(parts[0]), let size = Int(parts[1]),
        let offset = Int(parts[2])
      else { return nil }
      return (offset, size, time)
    }
  }

  /// An open video and what it reads from; both are the caller's.
  private func open(_ path: String) throws -> (video: OpaquePointer, input: OpaquePointer) {
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    let input = try #require(mediatool_input_new(Glibc.open(path, O_RDONLY), Int64(size)))
    var video: OpaquePointer?
    let status = "mov".withCString { demuxer in
      "h264".withCString { decoders in
        var options = mediatool_video_options(
          demuxer: demuxer, decoders: decoders, duration: 0, transfer: 0, max_pixels: 1_000_000, fast: false,
          alpha: false)
        return mediatool_video_open(input, &options, &video)
      }
    }
    #expect(status == MEDIATOOL_VIDEO_OK)
    return (try #require(video), input)
  }

  @Test func `An intact key frame is preferred to a damaged one`() throws {
    let path = try video("broken.mp4")
    let whole = try #require(try studio.render(path, [.box(96)]).posterTime)
    let key = try #require(keyFrames(path).first { $0.time == whole })
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var generator = SeededGenerator(seed: 5)
    for index in key.offset + key.size / 4..<key.offset + key.size {
      bytes[index] = .random(in: 0...255, using: &generator)
    }
    let input = try MediaInput(bytes: bytes)
    let result = Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [.box(96)])
    #expect(result.posterTime != whole)
    #expect(result.posterTime ?? 0 >= 6)
  }

  @Test func `A video with intra refresh is decoded until a frame is intact`() throws {
    let path = studio.folder.path("stripes.mp4")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=black:s=640x360:r=25:d=3", "-f", "lavfi", "-i",
        "testsrc2=s=640x360:r=25:d=12", "-filter_complex", "[0][1]concat", "-c:v", "libx264", "-g", "50",
        "-bf", "0", "-pix_fmt", "yuv420p", "-x264-params", "intra-refresh=1:scenecut=0", path,
      ]))
    let result = try studio.render(path, [.box(640)])
    #expect(try #require(result.framesDecoded) > 20)
    let time = try #require(result.posterTime)
    let png = studio.folder.path("whole.png")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-i", path, "-vf", "select=eq(n\\,\(Int((time * 25).rounded()))),scale=in_color_matrix=bt601",
        "-frames:v", "1", "-pix_fmt", "rgb24", png,
      ]))
    let actual = try studio.pixels(of: try #require(result.renditions.first))
    let comparison = try ImageComparison(reference: studio.pixels(of: png), actual: actual)
    #expect(comparison.psnr > 25, "\(comparison)")
  }

  @Test func `The remaining part of a truncated video is searched`() throws {
    let path = try video("cut.mp4")
    let key = try #require(keyFrames(path).first { $0.time >= 10 })
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)).prefix(key.offset))
    let input = try MediaInput(bytes: bytes)
    let result = Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [.box(96)])
    // At a tenth of the whole length it is black, and a quarter of it lies behind the cut.
    #expect(try #require(result.posterTime) >= 6)
    #expect(result.error?.code == .truncated)
  }

  @Test func `A file truncated during reading is a failure`() throws {
    let path = try video("shrinks.mp4")
    let (opened, input) = try open(path)
    defer {
      mediatool_video_close(opened)
      mediatool_input_free(input)
    }
    truncate(path, 40)
    #expect(mediatool_video_first_frame(opened) != MEDIATOOL_VIDEO_OK)
    #expect(mediatool_video_get_facts(opened).width == 192)
  }

  /// More of them than a storyboard of the usual size has.
  @Test func `No key frame is decoded twice`() throws {
    let path = studio.folder.path("many.mp4")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=30", "-c:v", "libx264", "-g", "1", "-pix_fmt",
        "yuv420p",
        path,
      ]))
    let (video, input) = try open(path)
    defer {
      mediatool_video_close(video)
      mediatool_input_free(input)
    }
    for _ in 0..<2 {
      for index in 0..<150 {
        var isNew = false
        #expect(mediatool_video_key_frame(video, Double(index) / 5 + 0.05, .infinity, &isNew) == MEDIATOOL_VIDEO_OK)
      }
    }
    #expect(mediatool_video_frames_decoded(video) == 150)
  }

  /// Noise at full rate: three megabytes contain no key frame, so a seek does not lead to one.
  @Test func `A high bit rate stream has a poster and positions`() throws {
    let path = studio.folder.path("rate.ts")
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=black:s=320x180:r=25:d=5", "-f", "lavfi", "-i",
        "testsrc2=s=320x180:r=25:d=15", "-filter_complex",
        "[1]noise=alls=90:allf=t[n];[0]noise=alls=6:allf=t[b];[b][n]concat",
        "-c:v", "libx264", "-preset", "ultrafast", "-qp", "3", "-g", "100", "-keyint_min", "100", "-sc_threshold", "0",
        "-pix_fmt", "yuv420p", path,
      ]))
    let input = try MediaInput(path: path)
    let info = MediaProber().facts(of: input)
    #expect(try #require(info.bitRate) > 6_000_000, "three megabytes would be enough")
    #expect(try #require(studio.render(path, [.box(96)]).posterTime) >= 4)
    var options = Thumbnailer.Options()
    options.posterPosition = .seconds(18)
    let late = try studio.render(path, [.box(96)], options: options)
    #expect(abs(try #require(late.posterTime) - 18) < 0.05)
    #expect(try #require(late.framesDecoded) < 110, "from the key frame before it, not from the beginning")
    #expect(try Thumbnailer().storyboard(input, info: info, frames: 4).tiles.count == 4)
  }
}
