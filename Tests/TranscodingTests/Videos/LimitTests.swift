internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Transcoding

/// The output never exceeds the limit, and is not much smaller if the video needs the bytes.
@Suite("Limits of a video") struct LimitTests {
  private func check(_ path: String, _ request: TranscodeRequest) throws -> TranscodeResult.File? {
    let (_, result) = try TestVideos.transcode(path, request)
    guard let file = result.file else {
      #expect(result.error?.code == .wouldNotFit, "\(path) \(request.maxBytes): \(String(describing: result.error))")
      return nil
    }
    #expect(file.data.count <= request.maxBytes, "\(path) \(request.maxBytes)")
    #expect(result.error == nil)
    #expect(result.fittingDuration == nil)
    return file
  }

  @Test(arguments: [30_000, 100_000, 300_000, 600_000])
  func `A complex video uses the available bytes`(limit: Int) throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, options: ["-preset", "ultrafast"])
    let file = try #require(try check(video, TranscodeRequest(format: .mp4(.level3), maxBytes: limit)))
    #expect(Double(file.data.count) >= 0.85 * Double(limit), "\(file.data.count)")
    #expect(abs(file.duration - 4) < 0.1)
  }

  @Test("Progress is reported for each pass in hundredths, for videos and audio files")
  func progress() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, options: ["-preset", "ultrafast", "-c:a", "pcm_s16le"])
    for format in [TranscodeRequest.Format.mp4(.level3), .threeGP(.qcif), .aac] {
      var steps: [TranscodeProgress] = []
      let (_, result) = try TestVideos.transcode(video, TranscodeRequest(format: format, maxBytes: 40_000)) {
        steps.append($0)
      }
      #expect(result.file != nil)
      #expect(result.encodings > 0)
      for (step, next) in zip(steps, steps.dropFirst()) {
        #expect((step.encoding, step.seconds) < (next.encoding, next.seconds))
      }
      #expect(Set(steps.map(\.encoding)) == Set(1..<result.encodings + 1))
      // For a completed pass; others may have been abandoned.
      let last =
        Dictionary(grouping: steps, by: \.encoding).values.max { ($0.last?.seconds ?? 0) < ($1.last?.seconds ?? 0) }
        ?? []
      #expect((25...101).contains(last.count), "\(format): \(result.encodings), \(steps.count), \(last.map(\.seconds))")
      #expect(last.last?.share ?? 0 > 0.95, "\(format): \(result.encodings), \(steps.count), \(last.map(\.seconds))")
      #expect(steps.allSatisfy { abs(($0.duration ?? 0) - 4) < 0.2 })
    }
    // A pass from cached frames, with no audio and with short audio, reports the same progress as the first.
    let silent = try TestVideos.busy("c.mov", in: folder, options: ["-preset", "ultrafast", "-an"])
    let short = try TestVideos.make(
      "d.mov", in: folder, ["-i", silent, "-f", "lavfi", "-i", "sine=duration=1", "-c:v", "copy"])
    for video in [silent, short] {
      var steps: [TranscodeProgress] = []
      let (_, result) = try TestVideos.transcode(video, TranscodeRequest(format: .mp4(.level3), maxBytes: 60_000)) {
        steps.append($0)
      }
      let encodings = Dictionary(grouping: steps, by: \.encoding).values
      #expect(result.encodings > 1)
      #expect(encodings.count == result.encodings)
      // A pass is abandoned after a fifth of it at the earliest.
      #expect(encodings.allSatisfy { $0.last?.share ?? 0 > 0.19 }, "\(encodings.map { $0.last?.share ?? -1 })")
    }
    // A copy has no encoding pass.
    var steps: [TranscodeProgress] = []
    let baseline = try TestVideos.busy("b.mp4", in: folder, seconds: 1, options: ["-profile:v", "baseline"])
    let (_, copy) = try TestVideos.transcode(baseline, TranscodeRequest(format: .mp4(.level4), maxBytes: 9_000_000)) {
      steps.append($0)
    }
    #expect(copy.file?.isCopy == true)
    #expect(steps.isEmpty)
  }

  /// Each video in both formats, with alternating limits.
  @Test(.enabled(if: Corpus.isPresent), arguments: [TranscodeRequest.Format.mp4(.level13), .threeGP(.qcif)])
  func `No file of the corpus exceeds the limit`(format: TranscodeRequest.Format) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Corpus.path("video")).sorted()
    let limits = [30_000, 100_000, 300_000]
    var made = 0
    for (index, name) in names.enumerated() where !name.contains("long_1080p") {
      let request = TranscodeRequest(format: format, maxBytes: limits[index % limits.count])
      if try check(Corpus.path("video/" + name), request) != nil { made += 1 }
    }
    #expect(made >= 25)
  }

  @Test func `A video that is too long is refused with the duration that fits`() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 12)
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: 12_000)
    let (_, refused) = try TestVideos.transcode(video, request)
    #expect(refused.file == nil)
    #expect(refused.error?.code == .wouldNotFit)
    let fitting = try #require(refused.fittingDuration)
    #expect(fitting > 0.5)
    #expect(fitting < 11)
    // The cut video fits.
    request.mayCut = true
    let file = try #require(try check(video, request))
    #expect(file.isCut)
    #expect(file.duration < 11.9)
    #expect(file.duration > 0.5)
  }

  @Test("A video above the maximum duration is cut only if that is allowed")
  func aMaximumDurationCutsOnlyIfAllowed() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 3)
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: 300_000)
    request.maxDuration = 1.5
    let (_, refused) = try TestVideos.transcode(video, request)
    #expect(refused.error?.code == .wouldNotFit)
    #expect(refused.fittingDuration == 1.5)
    request.mayCut = true
    let file = try #require(try check(video, request))
    #expect(file.isCut)
    #expect(abs(file.duration - 1.5) < 0.1)
    request.maxDuration = 3.2
    #expect(try #require(try check(video, request)).isCut == false)
  }

  @Test("A transcoding that passes its deadline gives no file")
  func aPassedDeadlineGivesNoFile() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder)
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: 100_000)
    request.limits.transcodeSeconds = 0.02
    let (_, result) = try TestVideos.transcode(video, request)
    #expect(result.file == nil)
    #expect(result.error?.code == .timedOut)
  }

  /// A second of audio, then the next one 12 days later: encoding the silence would take hours. The limit is far above
  /// what a busy machine needs.
  @Test("A deadline holds in a gap of days between timestamps", .timeLimit(.minutes(30)))
  func aDeadlineHoldsInATimestampGapOfDays() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.make(
      "a.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "color=s=64x48:r=10:d=2", "-f", "lavfi", "-i", "sine=d=2", "-af",
        "asetpts='if(lt(T,1),PTS,PTS+1e6/TB)'", "-c:v", "libx264", "-profile:v", "baseline", "-c:a", "pcm_s16le",
      ])
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: TranscodeRequest.maxBytesLimit)
    request.limits.transcodeSeconds = 1
    let (_, result) = try TestVideos.transcode(video, request)
    #expect(result.file == nil)
    #expect(result.error?.code == .timedOut)
  }

  @Test("Attempts after the first one read and decode nothing again")
  func laterAttemptsReadAndDecodeNothing() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.webm", in: folder, seconds: 1, options: ["-c:v", "libvpx", "-b:v", "2M"])
    var maximum = 0
    for limit in stride(from: 12_000, through: 60_000, by: 8_000) {
      let input = try MediaInput(path: video)
      let result = Transcoder().transcode(
        input, info: MediaProber().facts(of: input), TranscodeRequest(format: .mp4(.level3), maxBytes: limit))
      maximum = max(maximum, result.file == nil ? 0 : result.encodings)
      // Once for its geometry, for which libav reads the start, and once for its frames.
      #expect(result.bytesRead < 5 * input.size / 2, "\(limit): \(result.bytesRead) of \(input.size)")
    }
    #expect(maximum >= 3)
  }

  @Test("The same video gives the same bytes")
  func theSameVideoGivesTheSameBytes() throws {
    let folder = try TemporaryFolder()
    let video = try TestVideos.busy("a.mov", in: folder, seconds: 1)
    for format in [TranscodeRequest.Format.mp4(.level3), .threeGP(.qcif)] {
      let request = TranscodeRequest(format: format, maxBytes: 60_000)
      let first = try TestVideos.transcode(video, request).result
      let second = try TestVideos.transcode(video, request).result
      #expect(first == second)
      #expect(first.file != nil)
    }
  }
}
