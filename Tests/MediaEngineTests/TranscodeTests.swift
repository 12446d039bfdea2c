internal import Foundation
internal import MediaEngine
internal import MediaEngineInProcess
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Transcoding in an engine", .disabled(if: Engines.isSanitized, "helpers do not run under a sanitizer"))
struct TranscodeTests {
  private func film(_ folder: TemporaryFolder, seconds: Int = 1) throws -> String {
    let path = folder.path("a.mov")
    let picture = "testsrc2=size=320x240:rate=30:duration=\(seconds)"
    _ = try Tool("ffmpeg", package: "ffmpeg").output([
      "-v", "error", "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", "sine=duration=\(seconds)", "-pix_fmt",
      "yuv420p",
      path,
    ])
    return path
  }

  @Test func aHelperGivesTheSameBytesAsThisProcess() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try film(folder))
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let inProcess = try await MediaEngine.start(configuration)
    let helpers = try await Engines.real(1)
    let info = try await helpers.probe(source)
    for format in [TranscodeFormat.mp4(.level3), .threeGP(.qcif), .amr, .aac] {
      let request = TranscodeRequest(format: format, maxBytes: 50_000)
      let expected = try await inProcess.transcode(source, info: info, request)
      let found = try await helpers.transcode(source, info: info, request)
      #expect(found == expected && found.file != nil, "\(format) \(String(describing: found.error))")
    }
    await helpers.shutdown()
  }

  @Test func whoGivesUpWaitsNoLongerAndTheEngineGoesOn() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try film(folder, seconds: 60))
    let engine = try await Engines.real(1)
    let info = try await engine.probe(source)
    let task = Task {
      do throws(MediaFailure) {
        let result = try await engine.transcode(
          source, info: info, TranscodeRequest(format: .mp4(.level3), maxBytes: 900_000))
        return result.error?.code
      } catch { return error.code }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(try await engine.probe(source).kind == .video)
    await engine.shutdown()
  }

  @Test func aDeadlineEndsIt() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try film(folder, seconds: 20))
    let engine = try await Engines.real(1)
    let info = try await engine.probe(source)
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: 400_000)
    request.limits.transcodeSeconds = 0.05
    let result = try await engine.transcode(source, info: info, request)
    #expect(result.file == nil && result.error?.code == .timedOut)
    await engine.shutdown()
  }
}
