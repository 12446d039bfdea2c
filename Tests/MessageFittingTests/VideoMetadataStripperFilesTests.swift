internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import Messaging
internal import MetadataStripping
internal import TestSupport
internal import Testing

/// Real videos, before and after, as other programs see them.
@Suite("D6.10: metadata stripping of real videos") struct VideoMetadataStripperFilesTests {
  private static let fixtures = [
    // A place by ©xyz, by Apple's keys, by loci; a rotation; fragments; H.263; audio alone.
    "camera-roll/VID_0008.mp4", "camera-roll/MOV_0009.mov", "formats/clip.3gp", "formats/clip.3g2", "formats/clip.mov",
    "videos/turn-90.mp4", "videos/mirrored.mp4", "videos/fragmented.mp4", "videos/h263.3gp", "videos/odd-tags.mp4",
    "camera-roll/Voice 001.m4a", "formats/tone.3gp", "formats/alac.m4a", "videos/dolby-vision-8.mp4", "videos/av1.mp4",
  ]

  private let ffmpeg: Tool
  private let ffprobe: Tool
  private let exiftool: Tool
  private let scratch: TemporaryFolder

  init() throws {
    ffmpeg = try Tool("ffmpeg", package: "ffmpeg")
    ffprobe = try Tool("ffprobe", package: "ffmpeg")
    exiftool = try Tool("exiftool", package: "libimage-exiftool-perl")
    scratch = try TemporaryFolder()
  }

  private func contents(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

  /// Every frame of images and audio, and what FFmpeg has to complain of.
  private func frames(_ path: String) throws -> (frames: String, complaints: String) {
    let output = try ffmpeg.run([
      "-v", "warning", "-nostdin", "-i", path, "-map", "0:v?", "-map", "0:a?", "-f", "framemd5", "-fflags", "+bitexact",
      "-",
    ])
    return (output.text, output.errors.replacing(#/0x[0-9a-f]+/#, with: ""))
  }

  /// What the streams are, as a player needs it.
  private func streams(_ path: String) throws -> String {
    String(
      decoding: try ffprobe.output([
        "-v", "error", "-select_streams", "v", "-show_entries",
        "stream=codec_name,profile,width,height,pix_fmt,color_space,color_range,start_time,duration,sample_aspect_ratio"
          + ":stream_side_data", "-of", "default", path,
      ]), as: UTF8.self)
  }

  /// Everything that says where, when, with what or by whom.
  private func revealed(_ path: String) throws -> [String] {
    let all = try exiftool.output(["-ee", "-a", "-n", "-s", "-u", "--System:all", path])
    return String(decoding: all, as: UTF8.self).split(separator: "\n").map(String.init).filter { line in
      line.contains(
        #/^(?i)\S*(gps|date|make|model|software|location|comment|author|artist|title|encoder|vendor|compressorname|handlerdescription|content|creat)\S*\s*: (?!0?$|0000:00:00 00:00:00$)/#
      )
    }
  }

  /// Blanks a file and looks at it with all of them.
  private func check(_ path: String) async throws {
    let file = try contents(path)
    let plain = try #require(VideoMetadataStripper.strip(file), "\(path)")
    let (isSame, isIdempotent) = (plain == file, VideoMetadataStripper.strip(plain) == plain)
    #expect(plain.count == file.count, "\(path)")
    #expect(!isSame, "\(path)")
    #expect(isIdempotent, "\(path)")
    func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(file[offset..<min(offset + count, file.count)]) }
    let plan = try #require(try VideoMetadataStripper.plan(count: file.count, read: read), "\(path)")
    var changed = file
    changed.withUnsafeMutableBytes { plan.apply(to: $0, at: 0) }
    let isPlanned = changed == plain
    #expect(isPlanned, "\(path)")
    let copy = try scratch.write(plain, to: (path as NSString).lastPathComponent)
    let (before, after) = (try frames(path), try frames(copy))
    #expect(before.frames == after.frames, "\(path)")
    #expect(before.frames.contains("0, "), "\(path)")
    #expect(after.complaints.replacing(copy, with: path) == before.complaints, "\(path)")
    #expect(try streams(copy) == streams(path), "\(path)")
    #expect(try revealed(copy) == [], "\(path)")
    let engine = try await MediaEngine.forTests()
    let (old, new) = (try await engine.probe(.path(path)), try await engine.probe(.bytes(plain)))
    await engine.shutdown()
    var expected = old
    (expected.takenAt, expected.takenAtSource, expected.make, expected.model) = (nil, nil, nil, nil)
    (expected.latitude, expected.longitude, expected.altitude) = (nil, nil, nil)
    (expected.title, expected.artist, expected.album) = (nil, nil, nil)
    #expect(new == expected, "\(path)")
  }

  @Test("Another tool finds no location, date or camera, and identical video and audio", arguments: fixtures)
  func blanked(name: String) async throws {
    try await check(Fixture.path(name))
  }

  @Test(
    "Videos of real phones, one with metadata tracks", .enabled(if: Corpus.isPresent),
    arguments: [
      "geotagged/media3-bt601.mov", "geotagged/media3-dolbyVision-hdr.MOV", "geotagged/media3-hlg10-color-test.mp4",
      "video/media3-sample_android_slow_motion.mp4", "video/media3-sample_fragmented_seekable.mp4",
      "video/media3-edit_list_positive_shift.mp4", "mms-like/media3-bbb_176x144_128kbps_15fps_h263.3gp",
      "mms-like/media3-bbb_176x144_192kbps_15fps_mpeg4.mp4", "mms-like/media3-bbb_mono_8kHz_12.2kbps_amrnb.3gp",
    ])
  func blankedOfPhones(name: String) async throws {
    try await check(Corpus.path(name))
  }

  @Test("Locations in every frame and encoder names in SEI messages are stripped; the video is unchanged")
  func notes() async throws {
    let place = "086f3693b7b34f2c965321492feee5b8+48.2082+016.3738 secret"
    let videos = [
      ("libx264", ["-bsf:v", "h264_metadata=sei_user_data=\(place)"], "48.2082"),
      ("libx265", ["-tag:v", "hvc1", "-x265-params", "log-level=none"], "x265 (build"),
      (
        "libx264", ["-movflags", "frag_keyframe+empty_moov", "-bsf:v", "h264_metadata=sei_user_data=\(place)"],
        "48.2082"
      ),
    ]
    for (codec, options, note) in videos {
      let path = scratch.path("video.mp4")
      _ = try ffmpeg.output(
        ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-c:v", codec] + options
          + ["-metadata", "title=secret", path])
      #expect(try contents(path).contains(text: note))
      try await check(path)
      let plain = VideoMetadataStripper.strip(try contents(path)) ?? []
      #expect(!plain.contains(text: note))
      #expect(!plain.contains(text: "secret"))
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("Subtitle, chapter and timecode tracks are removed with their samples and references")
  func otherTracks() async throws {
    func write(_ text: String, _ name: String) throws -> String { try scratch.write(Array(text.utf8), to: name) }
    let positions = try write("1\n00:00:00,000 --> 00:00:01,000\nGPS(48.2082,16.3738)\n\n", "positions.srt")
    let chapters = try write(
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=At grandmother's\n", "chapters.txt")
    for (type, codec) in [("mov", "pcm_s16le"), ("mov", "pcm_s24be"), ("mp4", "aac")] {
      let path = scratch.path("video.\(type)")
      _ = try ffmpeg.output([
        "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-f", "lavfi", "-i",
        "sine=d=1", "-i", positions, "-i", chapters, "-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3",
        "-c:v", "mpeg4", "-c:a", codec, "-c:s", "mov_text", "-timecode", "01:02:03:04", "-metadata",
        "location=+48.2082+016.3738/", "-metadata", "creation_time=2024-05-01T12:00:00Z", path,
      ])
      #expect(try contents(path).contains(text: "GPS(48"))
      try await check(path)
      let plain = VideoMetadataStripper.strip(try contents(path)) ?? []
      #expect(!plain.contains(text: "GPS(48"))
      #expect(!plain.contains(text: "grandmother"))
      #expect(!plain.contains(text: "+48.2"))
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
