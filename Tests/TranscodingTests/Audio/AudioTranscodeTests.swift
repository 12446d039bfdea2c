internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Transcoding

@Suite("Transcoding of audio files") struct AudioTranscodeTests {
  private func tone(_ folder: TemporaryFolder, seconds: Double = 5) throws -> String {
    try TestVideos.make(
      "a.wav", in: folder, ["-f", "lavfi", "-i", "sine=frequency=440:duration=\(seconds):sample_rate=44100"])
  }

  @Test(arguments: [8_000, 30_000, 100_000])
  func `AAC never exceeds the limit`(limit: Int) throws {
    let folder = try TemporaryFolder()
    let (_, result) = try TestVideos.transcode(tone(folder), TranscodeRequest(format: .aac, maxBytes: limit))
    let file = try #require(result.file, "\(String(describing: result.error))")
    #expect(file.data.count <= limit)
    #expect(file.type == MediaType("audio/mp4"))
    #expect(abs(file.duration - 5) < 0.15)
    let facts = try TestVideos.facts(TestVideos.write(file, "out.m4a", in: folder))
    #expect(facts.audio?.codecName == "aac")
    #expect(facts.video == nil)
  }

  @Test func `AAC in 3GP replaces AMR where there is no encoder for it`() throws {
    let folder = try TemporaryFolder()
    let (_, result) = try TestVideos.transcode(tone(folder), TranscodeRequest(format: .amr, maxBytes: 20_000))
    let file = try #require(result.file)
    #expect(file.data.count <= 20_000)
    let facts = try TestVideos.facts(TestVideos.write(file, "out.amr", in: folder))
    if Transcoder.writesAMR {
      #expect(file.type == MediaType("audio/amr"))
      #expect(facts.audio?.codecName == "amr_nb")
    } else {
      print("libopencore-amrnb is not installed: AAC in place of AMR is tested")
      #expect(file.type == MediaType("audio/3gpp"))
      #expect(facts.audio?.codecName == "aac")
    }
  }

  /// RFC 4867, section 5.3: all frames of a mode have one length, so the bytes are known to the last one.
  @Test func `AMR takes the best mode that fits`() throws {
    guard Transcoder.writesAMR else {
      print("skipped, libopencore-amrnb is not installed")
      return
    }
    let folder = try TemporaryFolder()
    let audio = try tone(folder)
    for (limit, bytes) in [(10_000, 8_006), (7_000, 6_756), (3_300, 3_256)] {
      let file = try #require(
        try TestVideos.transcode(audio, TranscodeRequest(format: .amr, maxBytes: limit)).result.file)
      #expect(file.data.count == bytes, "\(limit)")
    }
  }

  /// 3GPP TS 26.101: the mode stands in the head of every frame; and what others decode of it is the tone.
  @Test func `Other decoders decode the AMR`() throws {
    guard Transcoder.writesAMR else {
      print("skipped, libopencore-amrnb is not installed")
      return
    }
    let folder = try TemporaryFolder()
    let file = try #require(
      try TestVideos.transcode(tone(folder), TranscodeRequest(format: .amr, maxBytes: 10_000)).result.file)
    #expect(file.data.starts(with: Array("#!AMR\n".utf8)))
    // 12.2 kbit/s, of good quality.
    let heads = stride(from: 6, to: file.data.count, by: 32).map { file.data[$0] }
    #expect(heads.count == 250)
    #expect(heads.allSatisfy { $0 == 7 << 3 | 4 })
    let path = try TestVideos.write(file, "out.amr", in: folder)
    let samples = try Tool("ffmpeg", package: "ffmpeg").output([
      "-v", "error", "-i", path, "-f", "s8", "-ac", "1", "-ar", "8000", "-",
    ]).map { Int8(bitPattern: $0) }
    #expect(abs(samples.count - 40_000) <= 320)
    // A tone of 440 Hz crosses zero 880 times a second.
    let second = samples.dropFirst(8_000).prefix(8_000)
    let crossings = zip(second, second.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    #expect(abs(crossings - 880) < 12, "\(crossings)")
  }

  @Test func `Audio that is too long is refused or cut`() throws {
    let folder = try TemporaryFolder()
    let audio = try tone(folder, seconds: 30)
    var request = TranscodeRequest(format: .aac, maxBytes: 8_000)
    let (_, refused) = try TestVideos.transcode(audio, request)
    #expect(refused.error?.code == .wouldNotFit)
    let fitting = try #require(refused.fittingDuration)
    #expect(fitting > 3)
    #expect(fitting < 10)
    request.mayCut = true
    let file = try #require(try TestVideos.transcode(audio, request).result.file)
    #expect(file.isCut)
    #expect(file.data.count <= 8_000)
  }

  @Test func `An audio file that fits is copied`() throws {
    let folder = try TemporaryFolder()
    let audio = try TestVideos.make(
      "a.m4a", in: folder, ["-i", tone(folder), "-b:a", "32k", "-metadata", "artist=Secret"])
    let file = try #require(
      try TestVideos.transcode(audio, TranscodeRequest(format: .aac, maxBytes: 60_000)).result.file)
    #expect(file.isCopy)
    #expect(!String(decoding: file.data, as: Unicode.ASCII.self).contains("Secret"))
  }

  @Test func `An image is unsupported`() throws {
    let path = Fixture.path("camera-roll/IMG_0001.jpg")
    for format in [TranscodeRequest.Format.aac, .amr, .mp4(.level3), .threeGP(.qcif)] {
      let (_, result) = try TestVideos.transcode(path, TranscodeRequest(format: format, maxBytes: 100_000))
      #expect(result.error?.code == .unsupported)
      #expect(result.file == nil)
    }
  }

  @Test(arguments: [0, -1, TranscodeRequest.maxBytesLimit + 1])
  func `An invalid request is refused`(bytes: Int) throws {
    let folder = try TemporaryFolder()
    let (_, result) = try TestVideos.transcode(tone(folder), TranscodeRequest(format: .aac, maxBytes: bytes))
    #expect(result.error?.code == .invalidRequest)
  }
}
