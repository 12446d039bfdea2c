internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Transcoding

/// Encoded files as other tools see them.
@Suite("Conformance of encoded videos") struct ClassTests {
  @Test(
    "H.264 is constrained baseline within its level",
    arguments: [TranscodeRequest.H264Level.level12, .level13, .level3])
  func h264IsConstrainedBaselineWithinItsLevel(level: TranscodeRequest.H264Level) throws {
    let folder = try TemporaryFolder()
    let source = try TestVideos.busy("a.mov", in: folder, seconds: 2)
    let (_, result) = try TestVideos.transcode(source, TranscodeRequest(format: .mp4(level), maxBytes: 120_000))
    let file = try #require(result.file, "\(String(describing: result.error))")
    let facts = try TestVideos.facts(TestVideos.write(file, "out.mp4", in: folder))
    let video = try #require(facts.video)
    let audio = try #require(facts.audio)
    #expect(video.codecName == "h264")
    #expect(video.profile == "Constrained Baseline")
    #expect(video.level.map(Double.init) == (Double(level.rawValue) ?? 0) * 10)
    #expect(video.width == file.width)
    #expect(video.height == file.height)
    #expect(video.nbFrames.flatMap { Int($0) } == file.frames)
    #expect(audio.codecName == "aac")
    #expect(audio.profile == "LC")
    #expect(facts.format.tags?["major_brand"] == "isom")
    #expect(file.type == MediaType("video/mp4"))
    #expect(file.videoCodec == "h264")
    #expect(file.audioCodec == "aac")
  }

  @Test(
    "H.263 has its size, and its level is stated (ITU-T H.263, annex X)", arguments: TranscodeRequest.H263Size.allCases)
  func h263HasItsSizeAndItsLevel(size: TranscodeRequest.H263Size) throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 2)
    let (_, result) = try TestVideos.transcode(video, TranscodeRequest(format: .threeGP(size), maxBytes: 300_000))
    let file = try #require(result.file, "\(String(describing: result.error))")
    let facts = try TestVideos.facts(TestVideos.write(file, "out.3gp", in: folder))
    #expect(facts.video?.codecName == "h263")
    #expect(facts.video?.width == size.size.width)
    #expect(facts.format.tags?["major_brand"] == "3gp4")
    #expect(file.type == MediaType("video/3gpp"))
    #expect(["amr_nb", "aac"].contains(facts.audio?.codecName))
    // ITU-T H.263, annex X: the level follows the name in the codec's box.
    let name = Array("d263".utf8)
    let place = try #require(file.data.indices.dropLast(16).first { Array(file.data[$0..<$0 + 4]) == name })
    #expect(file.data[place + 9] == (size == .cif ? 30 : 45))
  }

  @Test("The index of an MP4 file precedes its content")
  func theIndexPrecedesTheContent() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 1)
    let file = try #require(
      try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 90_000)).result.file)
    let text = String(decoding: file.data, as: Unicode.ASCII.self)
    let index = try #require(text.range(of: "moov"))
    let content = try #require(text.range(of: "mdat"))
    #expect(index.lowerBound < content.lowerBound)
  }

  @Test(
    "Location, camera and title of a video are removed, also from one that is copied", arguments: [90_000, 4_000_000])
  func locationAndCameraAreStripped(limit: Int) throws {
    let folder = try TemporaryFolder()
    // It already conforms to the larger limit and is copied.
    let video = try TestVideos.busy(
      "a.mp4", in: folder, seconds: 2, size: "320x240",
      options: [
        "-c:v", "libx264", "-profile:v", "baseline", "-level", "3", "-metadata", "location=+47.3769+008.5417/",
        "-metadata",
        "title=Secret", "-metadata", "make=Camera", "-metadata", "creation_time=2020-01-02T03:04:05Z", "-movflags",
        "use_metadata_tags",
      ])
    let (_, result) = try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: limit))
    let file = try #require(result.file)
    #expect(file.isCopy == (limit > 1_000_000))
    let path = try TestVideos.write(file, "out.mp4", in: folder)
    let text = String(decoding: file.data, as: Unicode.ASCII.self)
    for word in ["+47", "Secret", "Camera"] { #expect(!text.contains(word), "\(word)") }
    #expect(try TestVideos.traces(of: file.data) == [])
    let tags = String(
      decoding: try Tool("exiftool", package: "libimage-exiftool-perl").output(["-a", "-G", "-s", path]), as: UTF8.self)
    #expect(!tags.contains("GPS"))
    #expect(!tags.contains("Make"))
    #expect(!tags.contains("2020:"))
  }

  @Test("No name of a program is in what was written", arguments: [TranscodeRequest.Format.threeGP(.qcif), .aac, .amr])
  func noProgramSignsWhatItWrote(format: TranscodeRequest.Format) throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mp4", in: folder, seconds: 1, options: ["-c:a", "aac"])
    for limit in [20_000, 400_000] {
      let file = try #require(
        try TestVideos.transcode(video, TranscodeRequest(format: format, maxBytes: limit)).result.file)
      #expect(try TestVideos.traces(of: file.data) == [])
    }
  }

  /// Players rely on the length prefix of each NAL unit (ISO/IEC 14496-15, 5.3.4.2). FFmpeg also accepts start codes
  /// there; other players do not.
  @Test("A copied video has length prefixes as MP4 requires (ISO/IEC 14496-15 §5.3.4.2)")
  func aCopiedVideoConformsToMP4() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy(
      "a.mp4", in: folder, seconds: 1, size: "320x240",
      options: ["-c:v", "libx264", "-profile:v", "baseline", "-level", "3"])
    let file = try #require(
      try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 4_000_000)).result.file)
    #expect(file.isCopy)
    let places = String(
      decoding: try Tool("ffprobe", package: "ffmpeg").output([
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0",
        TestVideos.write(file, "out.mp4", in: folder),
      ]), as: UTF8.self
    ).split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
    #expect(places.count == 30)
    for place in places {
      let (size, start) = (place[0], place[1])
      var at = start
      while at + 4 <= start + size { at += 4 + file.data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
      #expect(at == start + size, "the lengths in a sample of \(size) bytes")
    }
  }

  @Test("A copied H.263 video conforms to the level that it states")
  func aCopiedH263VideoConformsToItsStatedLevel() throws {
    let folder = try TemporaryFolder()
    func make(_ name: String, rate: String, bits: String) throws -> String {
      try TestVideos.make(
        name, in: folder,
        [
          "-f", "lavfi", "-i", "testsrc2=s=176x144:r=\(rate):d=3", "-c:v", "h263", "-b:v", bits, "-maxrate", bits,
          "-bufsize",
          bits,
        ])
    }
    let request = TranscodeRequest(format: .threeGP(.qcif), maxBytes: 400_000)
    let small = try #require(
      try TestVideos.transcode(make("a.3gp", rate: "10", bits: "60k"), request).result.file)
    #expect(small.isCopy)
    let name = Array("d263".utf8)
    let place = try #require(small.data.indices.dropLast(16).first { Array(small.data[$0..<$0 + 4]) == name })
    #expect(small.data[place + 9] == 45)
    // Level 45 allows 15 fps and 128 kbit/s.
    for video in [try make("b.3gp", rate: "30000/1001", bits: "60k"), try make("c.3gp", rate: "10", bits: "400k")] {
      #expect(try #require(try TestVideos.transcode(video, request).result.file).isCopy == false)
    }
  }

  @Test("H.263 keeps to the bit rate of its level")
  func h263KeepsToTheRateOfItsLevel() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 3)
    for limit in [30_000, 60_000, 400_000] {
      var request = TranscodeRequest(format: .threeGP(.qcif), maxBytes: limit)
      request.keepsAudio = false
      let file = try #require(try TestVideos.transcode(video, request).result.file)
      // An index takes about 16 bytes per frame.
      let bytes = file.data.count - 1_000 - 20 * (file.frames ?? 0)
      #expect(Double(bytes) * 8 / file.duration <= 128_000, "\(limit)")
    }
  }

  @Test("Frames are rotated upright", arguments: [90, 180, 270])
  func framesAreRotatedUpright(degrees: Int) throws {
    let folder = try TemporaryFolder()
    // Red above, blue below, as stored.
    let stored = try TestVideos.make(
      "stored.mov", in: folder,
      [
        "-f", "lavfi", "-i", "color=red:s=320x120:d=1[a];color=blue:s=320x120:d=1[b];[a][b]vstack", "-pix_fmt",
        "yuv420p",
      ])
    let video = try TestVideos.make(
      "a.mov", in: folder, ["-i", stored, "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)"])
    let (info, result) = try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 60_000))
    let file = try #require(result.file)
    #expect(info.rotation != nil)
    #expect(file.width == info.width)
    #expect(file.height == info.height)
    let path = try TestVideos.write(file, "out.mp4", in: folder)
    #expect(try TestVideos.facts(path).video?.sideDataList == nil)
    let size = "scale=2:2:flags=area"
    let ffmpeg = try Tool("ffmpeg", package: "ffmpeg")
    func corners(_ path: String) throws -> [UInt8] {
      try ffmpeg.output([
        "-v", "error", "-i", path, "-frames:v", "1", "-vf", size, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ])
    }
    // ffmpeg rotates the source itself.
    let (expected, found) = (try corners(video), try corners(path))
    #expect(expected.count == 12, "\(expected) \(found)")
    #expect(zip(expected, found).allSatisfy { abs(Int($0) - Int($1)) < 24 }, "\(expected) \(found)")
  }
}
