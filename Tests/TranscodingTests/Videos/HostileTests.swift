internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Transcoding

/// Files that are not what they say: a result, never more bytes than allowed, never a trap.
@Suite("Malicious videos") struct HostileTests {
  private func transcode(_ input: borrowing MediaInput, as type: MediaType?, _ label: String) {
    var info = MediaProber().facts(of: input)
    if let type {
      info.type = type
      info.kind = .video
      info.error = nil
      info.audioCodec = info.audioCodec ?? "aac"
    }
    for format in [TranscodeRequest.Format.mp4(.level12), .threeGP(.qcif), .aac] {
      var request = TranscodeRequest(format: format, maxBytes: 20_000)
      request.mayCut = true
      request.limits.transcodeSeconds = 2
      let result = Transcoder().transcode(input, info: info, request)
      #expect((result.file == nil) == (result.error != nil), "\(label)")
      #expect((result.file?.data.count ?? 0) <= 20_000, "\(label)")
    }
  }

  @Test(.enabled(if: Corpus.isPresent)) func `Every file of the hostile corpus has a result`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Corpus.path("hostile")).sorted()
    for name in names {
      let path = Corpus.path("hostile/" + name)
      guard let input = try? MediaInput(path: path), input.size < 3_000_000 else { continue }
      transcode(input, as: nil, name)
      // As a video, whatever it is.
      transcode(input, as: MediaType("video/mp4"), name)
    }
  }

  @Test("Each damaged or cut video has a result")
  func corruptVideosGiveResults() throws {
    let folder = try TemporaryFolder()
    let videos = [
      try TestVideos.busy("a.mp4", in: folder, seconds: 0.5, size: "64x48", options: ["-g", "5"]),
      try TestVideos.busy("a.webm", in: folder, seconds: 0.5, size: "64x48", options: ["-deadline", "realtime"]),
      try TestVideos.busy("a.ts", in: folder, seconds: 0.5, size: "64x48"),
    ]
    var random = SeededGenerator(seed: 11)
    for video in videos {
      let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: video)))
      for round in 0..<25 {
        var bytes = whole
        for _ in 0..<(1 + random.below(12)) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        if round % 5 == 0 { bytes.removeLast(random.below(bytes.count)) }
        let input = try MediaInput(bytes: bytes)
        transcode(input, as: nil, "seed 11 \(video) \(round)")
      }
    }
  }
}
