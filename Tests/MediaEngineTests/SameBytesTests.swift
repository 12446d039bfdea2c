internal import Foundation
internal import MediaEngine
internal import MediaEngineInProcess
internal import MediaModel
internal import TestSupport
internal import Testing

/// Both kinds of engine, one protocol: the same facts and the same bytes.
@Suite(
  "Workers and in-process decoding give equal results",
  .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct SameBytesTests {
  private func compare(_ paths: [String]) async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let inProcess = try await MediaEngine.start(configuration)
    let workers = try await Engines.real()
    var request = MediaPreview.Request(renditions: ["grid", "message"].compactMap(RenditionRequest.named))
    request.renditions[1].comparedIn = request.renditions[1].box
    request.storyboardFrames = 3
    // Whether a page is done in time depends on the machine; all others are, also on a slow one.
    request.thumbnails.limits.renderSeconds = 600
    request.thumbnails.limits.posterSeconds = 600
    request.probe.limits.probeSeconds = 600
    let sources = AsyncStream<MediaSource> { continuation in
      for path in paths { continuation.yield(.path(path)) }
      continuation.finish()
    }
    var other = workers.previews(of: sources, request).makeAsyncIterator()
    for path in paths {
      let expected = try await inProcess.preview(.path(path), request)
      let found = try #require(try await other.next()).get()
      #expect(found == expected, "\(path)")
    }
    #expect(try await other.next() == nil)
    await workers.shutdown()
  }

  @Test func `Workers give the same bytes for testdata`() async throws {
    let slow = ["sizes/537-megapixels.png", "sizes/200-megapixels.png"]
    try await compare(Fixture.all.filter { !slow.contains($0.path) }.map(\.absolutePath))
  }

  @Test(.enabled(if: Corpus.isPresent)) func `Workers give the same bytes for the corpus`() async throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Corpus.folder.path).sorted()
    // Files that a page of which is not done in a minute, or that are hostile on purpose, are those of other tests.
    let paths = names.filter { !$0.hasPrefix("hostile/") && !$0.hasSuffix(".json") }.map(Corpus.path).filter { path in
      let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
      return (1..<1_500_000).contains(size)
    }
    #expect(paths.count > 100)
    try await compare(paths)
  }

  @Test func `Bytes, paths and descriptors give the same facts and images`() async throws {
    let engine = try await Engines.real(1)
    let path = Fixture.path("camera-roll/IMG_0001.jpg")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let source = MediaSource.descriptor(descriptor)
    // The source has its own.
    close(descriptor)
    let byPath = try await engine.probe(.path(path))
    #expect(byPath.width != nil)
    #expect(try await engine.probe(source) == byPath)
    #expect(try await engine.probe(.bytes(Fixture.bytes("camera-roll/IMG_0001.jpg"))) == byPath)
    await engine.shutdown()
  }

  @Test func `Given facts give the same images`() async throws {
    let engine = try await Engines.real(1)
    let source = MediaSource.path(Fixture.path("camera-roll/IMG_0001.jpg"))
    let requests = RenditionRequest.named
    let info = try await engine.probe(source)
    let rendered = try await engine.render(source, info: info, requests: requests)
    let preview = try await engine.preview(source, MediaPreview.Request(renditions: requests))
    #expect(rendered.renditions == preview.thumbnails.renditions)
    #expect(rendered.renditions.count == requests.count)
    await engine.shutdown()
  }
}
