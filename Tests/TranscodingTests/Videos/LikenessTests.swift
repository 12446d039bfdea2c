internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Transcoding

/// The quality of encoded video and audio.
@Suite("Quality of a video") struct LikenessTests {
  /// Compared with ffmpeg's two-pass encoding at the same video bytes.
  @Test(arguments: [("mp4", 120_000), ("mp4", 300_000)])
  func `A video is nearly as similar as after two passes of FFmpeg`(container: String, limit: Int) throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 4, size: "320x240")
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: limit)
    request.keepsAudio = false
    let file = try #require(try TestVideos.transcode(video, request).result.file)
    let ours = try TestVideos.write(file, "ours.mp4", in: folder)
    let (width, height) = (file.width ?? 0, file.height ?? 0)
    let rate = Double(file.frames ?? 0) / file.duration
    let shape = "fps=\(rate),scale=\(width):\(height)"
    let bits = Int(Double(file.data.count - 1_500) * 8 / file.duration)
    let ffmpeg = try Tool("ffmpeg", package: "ffmpeg")
    let common = [
      "-v", "error", "-y", "-i", video, "-an", "-vf", shape, "-c:v", "libx264", "-profile:v", "baseline", "-level", "3",
      "-b:v", "\(bits)", "-passlogfile", folder.path("log"),
    ]
    _ = try ffmpeg.output(common + ["-pass", "1", "-f", "null", "-"])
    let theirs = folder.path("theirs.mp4")
    _ = try ffmpeg.output(common + ["-pass", "2", theirs])
    let compared = "fps=\(rate),scale=\(width):\(height),setpts=N"
    let our = try TestVideos.likeness(ours, to: video, filter: compared)
    let their = try TestVideos.likeness(theirs, to: video, filter: compared)
    #expect(our >= 0.98 * their, "\(our) \(their)")
  }

  /// A white flash and a click each second stay in sync.
  @Test(arguments: [TranscodeRequest.Format.mp4(.level3), .threeGP(.qcif)])
  func `Images and audio stay together`(format: TranscodeRequest.Format) throws {
    let folder = try TemporaryFolder()
    let image = "color=black:s=320x240:r=30:d=4,drawbox=c=white:t=fill:enable='between(mod(t,1),0.5,0.6)'"
    let audio = "aevalsrc='if(between(mod(t,1),0.5,0.6),sin(2*PI*1000*t),0)':d=4:s=44100"
    let video = try TestVideos.make(
      "a.mov", in: folder,
      ["-f", "lavfi", "-i", image, "-f", "lavfi", "-i", audio, "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"])
    let file = try #require(
      try TestVideos.transcode(video, TranscodeRequest(format: format, maxBytes: 60_000)).result.file)
    let path = try TestVideos.write(file, "out.mp4", in: folder)
    let ffmpeg = try Tool("ffmpeg", package: "ffmpeg")
    let lights = try ffmpeg.output([
      "-v", "error", "-i", path, "-vf", "fps=100,scale=1:1:flags=area", "-f", "rawvideo", "-pix_fmt", "gray", "-",
    ])
    let samples = try ffmpeg.output(["-v", "error", "-i", path, "-ac", "1", "-ar", "8000", "-f", "u8", "-"])
    let flash = try #require(lights.firstIndex { $0 > 128 })
    let click = try #require(samples.firstIndex { $0 > 160 })
    let (seen, heard) = (Double(flash) / 100, Double(click) / 8_000)
    // ITU-R BT.1359: noticeable from 45 ms early or 125 ms late on; at 15 fps a frame may be one frame late.
    #expect(abs(seen - 0.5) < 0.08, "\(seen) \(heard)")
    #expect(abs(heard - 0.5) < 0.08, "\(seen) \(heard)")
    #expect(abs(seen - heard) < 0.08, "\(seen) \(heard)")
  }

  /// A stream without a container states no duration. Once it is known, more bits per second are available than
  /// planned.
  @Test func `A video of unknown duration is not reduced without need`() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.make(
      "a.m2v", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3", "-c:v", "mpeg2video", "-bf", "0"])
    let file = try #require(
      try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 200_000)).result.file)
    #expect((74...76).contains(file.frames ?? 0))
    #expect(abs(file.duration - 3) < 0.1)
    #expect(file.width == 160)
    #expect(file.height == 120)
  }

  /// The declared peak becomes white, as in the poster: 1,000 cd/m² are white only if nothing is brighter.
  @Test func `HDR is tone mapped by its own peak`() throws {
    let folder = try TemporaryFolder()
    func luma(_ name: String, _ light: String) throws -> Int {
      let video = try TestVideos.make(
        name, in: folder,
        [
          "-f", "lavfi", "-i", "color=0xC0C0C0:s=160x120:r=10:d=0.5", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
          "-x265-params", "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc" + light,
        ])
      let (info, result) = try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 90_000))
      #expect(info.hdr == .pq)
      let path = try TestVideos.write(try #require(result.file), name + ".out.mp4", in: folder)
      let pixels = try Tool("ffmpeg", package: "ffmpeg").output([
        "-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-",
      ])
      return Int(pixels[pixels.count / 2])
    }
    let (usual, bright) = (try luma("a.mp4", ""), try luma("b.mp4", ":max-cll=4000,400"))
    #expect(usual >= 254, "\(usual) \(bright)")
    #expect((247...252).contains(bright), "\(usual) \(bright)")
  }

  /// Weaving two fields tears motion, and one field alone has half the height. ffmpeg's deinterlacer (yadif) does
  /// neither.
  @Test func `An interlaced video is deinterlaced`() throws {
    let folder = try TemporaryFolder()
    let scene = "testsrc2=s=352x288:r=50:d=1"
    let video = try TestVideos.make(
      "a.mpg", in: folder,
      [
        "-f", "lavfi", "-i", scene, "-vf", "interlace=scan=tff", "-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-b:v",
        "6M",
        "-pix_fmt", "yuv420p",
      ])
    let file = try #require(
      try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 900_000)).result.file)
    let ours = try TestVideos.write(file, "ours.mp4", in: folder)
    let scale = "scale=\(file.width ?? 0):\(file.height ?? 0)"
    let truth = try TestVideos.make(
      "truth.mkv", in: folder,
      ["-f", "lavfi", "-i", scene, "-vf", "fps=25,\(scale)", "-pix_fmt", "yuv420p", "-c:v", "ffv1"])
    func likeness(_ path: String) throws -> Double {
      try TestVideos.likeness(path, to: truth, filter: "settb=1/25,setpts=N")
    }
    // Encoded as well as our best encoding.
    func encoded(_ name: String, _ filter: String) throws -> String {
      try TestVideos.make(
        name, in: folder,
        ["-i", video, "-vf", filter, "-c:v", "libx264", "-profile:v", "baseline", "-preset", "faster", "-crf", "18"])
    }
    let torn = try likeness(encoded("torn.mp4", scale))
    let theirs = try likeness(encoded("theirs.mp4", "yadif=0,\(scale)"))
    let found = try likeness(ours)
    #expect(found > torn, "\(found), torn \(torn), yadif \(theirs)")
    #expect(found > theirs - 0.001, "\(found), torn \(torn), yadif \(theirs)")
  }

  /// A video that was cut without encoding keeps the frames before the cut, and an edit list hides them.
  @Test func `An edit list is honoured`() throws {
    let folder = try TemporaryFolder()
    let whole = try TestVideos.make(
      "whole.mp4", in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "50"])
    let video = try TestVideos.make("a.mp4", in: folder, ["-ss", "1.5", "-i", whole, "-t", "2", "-c", "copy"])
    let file = try #require(
      try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 400_000)).result.file)
    let ours = try TestVideos.write(file, "ours.mp4", in: folder)
    func frames(_ path: String) throws -> Int {
      try Tool("ffmpeg", package: "ffmpeg").output([
        "-v", "error", "-i", path, "-an", "-vf", "scale=1:1", "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt",
        "gray", "-",
      ]).count
    }
    let (expected, found) = (try frames(video), try frames(ours))
    #expect(abs(expected - found) <= 1, "\(expected) \(found)")
    #expect(found < 70, "\(expected) \(found)")
    #expect(!file.isCut, "\(expected) \(found)")
    // The first frame is the first after the cut.
    func likeness(from start: Int) throws -> Double {
      try TestVideos.likeness(ours, to: video, filter: "scale=320:180,settb=1/25,setpts=N", skipping: start)
    }
    let (same, later) = (try likeness(from: 0), try likeness(from: 6))
    #expect(same > later + 0.05, "\(same) \(later)")
  }

  @Test func `Timestamps of a variable frame rate are kept`() throws {
    let folder = try TemporaryFolder()
    // Frames at 0, 0.1, 0.4, 0.9, 1.6, 2.5 s.
    let video = try TestVideos.make(
      "a.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=0.6", "-vf", "setpts=N*N*0.1/TB", "-vsync", "vfr", "-pix_fmt",
        "yuv420p", "-c:v", "libx264", "-bf", "0",
      ])
    let file = try #require(
      try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 200_000)).result.file)
    let path = try TestVideos.write(file, "out.mp4", in: folder)
    let times = String(
      decoding: try Tool("ffprobe", package: "ffmpeg").output([
        "-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path,
      ]), as: UTF8.self
    ).split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
    #expect(times.count == 6, "\(times)")
    #expect(zip(times, [0, 0.1, 0.4, 0.9, 1.6, 2.5]).allSatisfy { abs($0 - $1) < 0.002 }, "\(times)")
  }
}
