internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaEngineInProcess
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Transcoding in an engine", .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct TranscodeTests {
  private func video(_ folder: TemporaryFolder, seconds: Int = 1) throws -> String {
    let path = folder.path("a.mov")
    let image = "testsrc2=size=320x240:rate=30:duration=\(seconds)"
    _ = try Tool("ffmpeg", package: "ffmpeg").output([
      "-v", "error", "-f", "lavfi", "-i", image, "-f", "lavfi", "-i", "sine=duration=\(seconds)", "-pix_fmt",
      "yuv420p",
      path,
    ])
    return path
  }

  @Test func `A worker gives the same bytes as this process`() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try video(folder))
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let inProcess = try await MediaEngine.start(configuration)
    let workers = try await Engines.real(1)
    let info = try await workers.probe(source)
    for format in [TranscodeRequest.Format.mp4(.level3), .threeGP(.qcif), .amr, .aac] {
      let request = TranscodeRequest(format: format, maxBytes: 50_000)
      let expected = try await inProcess.transcode(source, info: info, request)
      let found = try await workers.transcode(source, info: info, request)
      #expect(found == expected, "\(format) \(String(describing: found.error))")
      #expect(found.file != nil, "\(format) \(String(describing: found.error))")
    }
    await workers.shutdown()
  }

  @Test("A box applies to every format, encoded or copied, and a worker gives the same bytes as this process")
  func box() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try video(folder))
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let inProcess = try await MediaEngine.start(configuration)
    let workers = try await Engines.real(1)
    let info = try await workers.probe(source)
    for format in [TranscodeRequest.Format.threeGP(.cif), .threeGP(.qcif), .mp4(.level3)] {
      var request = TranscodeRequest(format: format, maxBytes: 50_000)
      request.box = PixelSize(width: 120, height: 160)
      let expected = try await inProcess.transcode(source, info: info, request)
      let found = try await workers.transcode(source, info: info, request)
      #expect(found == expected, "\(format) \(String(describing: found.error))")
      let file = try #require(found.file, "\(format) \(String(describing: found.error))")
      #expect(max(file.width ?? 999, file.height ?? 999) <= 160)
      #expect(min(file.width ?? 999, file.height ?? 999) <= 120)
    }
    // A video that conforms to the format is copied, but not one that is larger than the box.
    let large = TranscodeRequest(format: .threeGP(.qcif), maxBytes: 50_000)
    let conforming = MediaSource.bytes(try #require(try await inProcess.transcode(source, info: info, large).file).data)
    let facts = try await workers.probe(conforming)
    var request = TranscodeRequest(format: .threeGP(.qcif), maxBytes: 500_000)
    request.maxFrameRate = 15
    request.box = PixelSize(width: 160, height: 120)
    let found = try await workers.transcode(conforming, info: facts, request)
    #expect(found.file?.width == 128, "\(String(describing: found.error))")
    #expect(found == (try await inProcess.transcode(conforming, info: facts, request)))
    // No size of H.263 is so small.
    request.box = PixelSize(width: 64, height: 64)
    let none = try await workers.transcode(conforming, info: facts, request)
    #expect(none.error?.code == .invalidRequest)
    #expect(none == (try await inProcess.transcode(conforming, info: facts, request)))
    await workers.shutdown()
  }

  @Test func `A video that cannot fit is not the worker's fault`() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try video(folder, seconds: 20))
    let engine = try await Engines.real(1)
    let info = try await engine.probe(source)
    let result = try await engine.transcode(
      source, info: info, TranscodeRequest(format: .mp4(.level3), maxBytes: 2_000))
    #expect(result.error?.code == .wouldNotFit, "\(String(describing: result.error))")
    #expect(result.fittingDuration != nil)
    await engine.shutdown()
  }

  @Test func `Progress is reported to every caller`() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try video(folder, seconds: 4))
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let inProcess = try await MediaEngine.start(configuration)
    let workers = try await Engines.real(1)
    let info = try await workers.probe(source)
    let request = TranscodeRequest(format: .mp4(.level3), maxBytes: 60_000)
    let reported = (here: Locked<[TranscodeProgress]>([]), worker: Locked<[TranscodeProgress]>([]))
    let late = Locked<[TranscodeProgress]>([])
    let expected = try await inProcess.transcode(source, info: info, request) { step in
      reported.here.withLock { $0.append(step) }
    }
    // The second requests the same during the progress of the first, and gets the rest of it.
    let joined = Locked<Task<TranscodeResult?, Never>?>(nil)
    let found = try await workers.transcode(source, info: info, request) { step in
      reported.worker.withLock { $0.append(step) }
      joined.withLock { task in
        guard task == nil else { return }
        task = Task {
          try? await workers.transcode(source, info: info, request) { step in late.withLock { $0.append(step) } }
        }
      }
    }
    let second = await joined.withLock { $0 }?.value
    #expect(found == expected)
    #expect(found.file != nil)
    #expect(second?.file == found.file)
    let steps = reported.here.withLock { $0 }
    #expect(steps.count > 50)
    #expect(reported.worker.withLock { $0 } == steps)
    #expect(steps.last?.encoding == found.encodings)
    #expect(steps.contains { $0.share ?? 0 > 0.9 })
    #expect(steps.allSatisfy { $0.share.map((0...1).contains) ?? false })
    // It came while the other was under way, or when that was done and then again.
    #expect(late.withLock { steps.suffix($0.count).elementsEqual($0) })
    await workers.shutdown()
  }

  @Test func `A cancelled caller returns and the engine continues`() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try video(folder, seconds: 60))
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

  @Test func `Cancellation ends a running encode`() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try video(folder, seconds: 60))
    // Under a name of its own it is found among the workers of tests that run beside this one.
    let worker = folder.path("worker")
    try FileManager.default.createSymbolicLink(
      atPath: worker, withDestinationPath: BuiltProduct.path("mediatool-worker"))
    let engine = try await Engines.real(1) { $0.worker = worker }
    let info = try await engine.probe(source)
    let process = try #require(Processes.children(with: worker).first)
    let before = Processes.seconds(of: process)
    let task = Task {
      do throws(MediaFailure) {
        let request = TranscodeRequest(format: .mp4(.level3), maxBytes: 900_000)
        return try await engine.transcode(source, info: info, request).error?.code
      } catch { return error.code }
    }
    // Far more work than a worker has with anything but frames, and far less than this video takes.
    while Processes.seconds(of: process) < before + 0.3, kill(process, 0) == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(try await engine.probe(source).kind == .video)
    #expect(Processes.seconds(of: process) < before + 5)
    await engine.shutdown()
  }

  @Test func `A deadline ends a transcode`() async throws {
    let folder = try TemporaryFolder()
    let source = MediaSource.path(try video(folder, seconds: 20))
    let engine = try await Engines.real(1)
    let info = try await engine.probe(source)
    var request = TranscodeRequest(format: .mp4(.level3), maxBytes: 400_000)
    request.limits.transcodeSeconds = 0.05
    let result = try await engine.transcode(source, info: info, request)
    #expect(result.file == nil)
    #expect(result.error?.code == .timedOut)
    await engine.shutdown()
  }
}
