internal import Foundation
internal import MediaEngine
internal import MediaEngineInProcess
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

/// Files that a worker reads by asking for ranges.
@Suite("Files that are fetched", .timeLimit(.minutes(60))) struct RangeTests {
  @Test("facts by ranges are those of the file, in workers and in process") func facts() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess(threads: 1)
    let inProcess = try await MediaEngine.start(configuration)
    let workers = try await Engines.real(1)
    var options = ProbeOptions()
    options.limits.probeSeconds = 600
    for fixture in Fixture.all {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.absolutePath)))
      guard bytes.count < 20_000_000 else { continue }
      let claim = MediaType.Claim.fileName(fixture.path)
      let expected = try await workers.probe(.path(fixture.absolutePath), claim: claim, options: options)
      let reader = BytesReader(bytes)
      #expect(
        try await workers.probe(.ranges(reader), claim: claim, options: options) == expected, "\(fixture.path)")
      #expect(
        try await inProcess.probe(.ranges(BytesReader(bytes)), claim: claim, options: options) == expected,
        "\(fixture.path)")
      #expect(reader.wholes == 0)
    }
    await workers.shutdown()
  }

  @Test("images and digests are made from the whole file") func whole() async throws {
    let engine = try await Engines.real(1)
    let path = Fixture.path("camera-roll/IMG_0001.jpg")
    let reader = BytesReader([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    let request = MediaPreview.Request(renditions: ["grid"].compactMap(RenditionRequest.named))
    let claim = MediaType.Claim.fileName(path)
    #expect(
      try await engine.preview(.ranges(reader), claim: claim, request)
        == engine.preview(.path(path), claim: claim, request))
    var options = ProbeOptions()
    options.digest = true
    #expect(try await engine.probe(.ranges(reader), options: options) == engine.probe(.path(path), options: options))
    #expect(reader.reads == 0)
    #expect(reader.wholes == 2)
    await engine.shutdown()
  }

  @Test(
    "a file of which no image can be made is not taken whole, and its result is that of the whole file",
    arguments: [
      "formats/utf8.txt", "formats/archive.zip", "formats/letter.docx", "formats/scale.mid", "formats/unknown.bin",
      "formats/person.json",
    ]) func withoutImage(fixture: String) async throws
  {
    let engine = try await Engines.real(1)
    let reader = BytesReader(try Fixture.bytes(fixture))
    let request = MediaPreview.Request(renditions: ["grid"].compactMap(RenditionRequest.named))
    let found = try await engine.preview(.ranges(reader), request)
    let expected = try await engine.preview(.path(Fixture.path(fixture)), request)
    #expect(found.info == expected.info)
    #expect(found.thumbnails == expected.thumbnails)
    #expect(found.thumbnails.icon != nil)
    #expect(reader.wholes == 0)
    #expect(reader.releases == 1)
    await engine.shutdown()
  }

  @Test(
    "a file whose name is not that of an image is taken whole if its facts allow one",
    arguments: ["camera-roll/IMG_0001.jpg", "formats/page.pdf", "formats/tone.mp3", "formats/clip.mp4"])
  func hiddenImage(fixture: String) async throws {
    let engine = try await Engines.real(1)
    let reader = BytesReader(try Fixture.bytes(fixture))
    let request = MediaPreview.Request(renditions: ["grid"].compactMap(RenditionRequest.named))
    let found = try await engine.preview(.ranges(reader), claim: .fileName("a.txt"), request)
    #expect(
      try await found.thumbnails
        == engine.preview(.path(Fixture.path(fixture)), claim: .fileName("a.txt"), request).thumbnails)
    #expect(found.thumbnails.icon == nil)
    #expect(reader.wholes == 1)
    #expect(reader.releases == 1)
    await engine.shutdown()
  }

  @Test("a file that is too large to be taken whole has its facts, and tooLarge for the rest")
  func tooLarge() async throws {
    let path = Fixture.path("camera-roll/IMG_0001.jpg")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let engine = try await Engines.real(1)
    let expected = try await engine.probe(.path(path))
    let request = MediaPreview.Request(renditions: ["grid"].compactMap(RenditionRequest.named))
    let preview = try await engine.preview(.ranges(BytesReader(bytes, maxBytes: bytes.count - 1)), request)
    #expect(preview.info.width == expected.width)
    #expect(preview.info.error == nil)
    #expect(preview.thumbnails.error?.code == .tooLarge)
    var options = ProbeOptions()
    options.digest = true
    let info = try await engine.probe(.ranges(BytesReader(bytes, maxBytes: bytes.count - 1)), options: options)
    #expect(info.width == expected.width)
    #expect(info.error?.code == .tooLarge)
    await engine.shutdown()
  }

  @Test("a range that cannot be read fails the job with its reason") func unreadable() async throws {
    let failure = MediaFailure(.changed, "The source has changed.")
    let path = Fixture.path("camera-roll/IMG_0001.jpg")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess(threads: 1)
    for engine in [try await Engines.real(1), try await MediaEngine.start(configuration)] {
      let info = try await engine.probe(.ranges(BytesReader(bytes, failure: failure)))
      #expect(info.error == failure)
      #expect(info.width == nil)
      // The worker serves the next file.
      #expect(try await engine.probe(.path(path)).width != nil)
      await engine.shutdown()
    }
  }

  @Test("a job can be cancelled while a range is fetched") func cancelled() async throws {
    let gate = DispatchSemaphore(value: 0)
    let engine = try await Engines.real(1)
    let reader = BytesReader([UInt8](repeating: 7, count: 100), gate: gate)
    let task = Task { try await engine.probe(.ranges(reader)) }
    task.cancel()
    await #expect(throws: MediaFailure.self) { _ = try await task.value }
    await engine.shutdown()
    for _ in 0..<10 { gate.signal() }
  }

  @Test("a job can be cancelled while its file is opened, and its slot serves the next file") func cancelledOpening()
    async throws
  {
    let opening = DispatchSemaphore(value: 0)
    let engine = try await Engines.real(1)
    let reader = BytesReader([UInt8](repeating: 7, count: 100), opening: opening)
    let task = Task { try await engine.probe(.ranges(reader)) }
    while reader.sizes == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: MediaFailure.self) { _ = try await task.value }
    #expect(try await engine.probe(.path(Fixture.path("camera-roll/IMG_0001.jpg"))).width != nil)
    #expect(reader.cancels == 1)
    // So that the next job of this file is not cancelled too.
    #expect(reader.releases == 1)
    opening.signal()
    await engine.shutdown()
  }

  @Test("a file is released when its job is over") func released() async throws {
    let engine = try await Engines.real(1)
    let reader = BytesReader([UInt8](repeating: 7, count: 100))
    _ = try await engine.probe(.ranges(reader))
    #expect(reader.releases == 1)
    #expect(reader.cancels == 0)
    await engine.shutdown()
  }

  @Test("a worker that asks for one range and answers is accepted") func honest() async throws {
    let engine = try await Engines.rogue("--asks") { $0.workerArguments = ["--asks", "honestly"] }
    let info = try await engine.probe(.ranges(BytesReader(Array("abcd".utf8))))
    #expect(info.title == "abcd")
    await engine.shutdown()
  }

  @Test(
    "a worker that asks for what there is not, too much, too often or at the wrong time is replaced",
    arguments: ["outside", "far", "long", "nothing", "short", "other job", "two", "piece", "endless"])
  func rogue(kind: String) async throws {
    let engine = try await Engines.rogue("--asks") { $0.workerArguments = ["--asks", kind] }
    // So far away that only the protocol ends it.
    var options = ProbeOptions()
    options.limits.probeSeconds = 1_000
    let info = try await engine.probe(.ranges(BytesReader(Array("abcd".utf8))), options: options)
    #expect(info.error?.code == .decoderCrashed)
    #expect(info.error?.detail?.contains("violated the protocol") == true, "\(info.error?.detail ?? "")")
    await engine.shutdown()
  }

  @Test("a worker that asks for ranges of an open file is replaced") func openFile() async throws {
    let engine = try await Engines.rogue("--asks") { $0.workerArguments = ["--asks", "honestly"] }
    let info = try await engine.probe(.does("abc"))
    #expect(
      info.error?.detail?.contains("the worker asked for a range although it has a descriptor of the file") == true)
    await engine.shutdown()
  }
}
