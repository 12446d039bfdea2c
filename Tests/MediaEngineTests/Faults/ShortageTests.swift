internal import CEscapes
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

/// Real decoders that get too little memory.
@Suite("Too little memory", .disabled(if: Engines.isSanitized, "a sanitizer's own memory is not a decoder's"))
struct ShortageTests {
  /// From hardly any to enough: wherever the allocation is that fails, the image is made or memory is what it was short of.
  @Test func `An image that exhausts memory is out of memory wherever it is noticed`() async throws {
    let path = Fixture.path("camera-roll/IMG_0001.jpg")
    let requests = ["view"].compactMap(RenditionRequest.named)
    var codes: [MediaFailure.Code?] = []
    for megabytes in [1, 2, 4, 8, 16, 32, 64, 1_024] as [Int64] {
      let engine = try await Engines.real(1) { $0.workerArguments.append("squeezed") }
      let workers = Processes.children(with: "squeezed")
      #expect(workers.count == 1)
      for worker in workers { #expect(escape_squeeze(worker, megabytes << 20) == 0) }
      let preview = try await engine.preview(.path(path), MediaPreview.Request(renditions: requests))
      await engine.shutdown()
      let code = preview.thumbnails.error?.code ?? preview.info.error?.code
      #expect(code == nil || code == .outOfMemory, "\(megabytes) MiB: \(preview.thumbnails.error?.description ?? "")")
      codes.append(code)
    }
    #expect(codes.first == .some(.outOfMemory), "\(codes)")
    #expect(codes.last == .some(nil), "\(codes)")
  }

  /// The same of a video: a library that got no memory says that the video is bad, or that there is no encoder.
  @Test func `A video that exhausts memory is not corrupt`() async throws {
    let path = Fixture.path("camera-roll/VID_0008.mp4")
    let known = try await Engines.real(1)
    let info = try await known.probe(.path(path))
    await known.shutdown()
    var codes: [MediaFailure.Code?] = []
    for megabytes in [1, 4, 8, 12, 16, 24, 32, 1_024] as [Int64] {
      let engine = try await Engines.real(1) { $0.workerArguments.append("squeezed-video") }
      for worker in Processes.children(with: "squeezed-video") { #expect(escape_squeeze(worker, megabytes << 20) == 0) }
      let result = try await engine.transcode(
        .path(path), info: info, TranscodeRequest(format: .mp4(.level3), maxBytes: 20_000))
      await engine.shutdown()
      #expect(
        result.error == nil || result.error?.code == .outOfMemory,
        "\(megabytes) MiB: \(result.error?.description ?? "")")
      codes.append(result.error?.code)
    }
    #expect(codes.first == .some(.outOfMemory), "\(codes)")
    #expect(codes.last == .some(nil), "\(codes)")
  }
}
