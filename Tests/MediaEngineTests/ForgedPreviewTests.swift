internal import MediaEngine
internal import MediaEngineInProcess
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

/// What an engine returns for files whose preview, first frame or default image shows something else than the image.
@Suite("Forged previews", .disabled(if: Engines.isSanitized, "workers do not run under a sanitizer"))
struct ForgedPreviewTests {
  /// Red images with green previews.
  static let previews = Fixture.all(in: "previews/").map(\.path)
  /// Animations that are green for longest, and red first.
  static let animations = ["flash.gif", "flash.png", "flash.webp", "flash.avif", "flash.heics", "default.png"].map {
    "animated/\($0)"
  }

  private func check(_ engine: MediaEngine) async throws {
    let request = MediaPreview.Request(renditions: RenditionRequest.named)
    for (paths, rgb) in [(Self.previews, [208, 32, 32]), (Self.animations, [32, 176, 64])] {
      for path in paths {
        let source = MediaSource.path(Fixture.path(path))
        let preview = try await engine.preview(source, request)
        #expect(preview.thumbnails.renditions.count == request.renditions.count)
        #expect(preview.thumbnails.renditions.allSatisfy { $0.from == .image })
        for rendition in preview.thumbnails.renditions {
          // Decoded again by the engine itself: one color that it finds in its own rendition.
          let again = try await engine.preview(.bytes(rendition.data), MediaPreview.Request(renditions: []))
          let color = try #require(again.thumbnails.placeholder?.color)
          #expect(color.isColor(near: rgb), "\(path), \(rendition.name): \(color)")
        }
        let info = try await engine.probe(source)
        let rendered = try await engine.render(source, info: info, requests: request.renditions)
        #expect(rendered.renditions == preview.thumbnails.renditions)
      }
    }
  }

  @Test("Workers show the image itself") func workers() async throws {
    let engine = try await Engines.real(1)
    try await check(engine)
    await engine.shutdown()
  }

  @Test("An engine in the process shows the image itself") func inProcess() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    try await check(try await MediaEngine.start(configuration))
  }

  @Test("The engine's version states the revision of the rules for renditions") func revision() async throws {
    let engine = try await Engines.real(1)
    #expect(RenditionRevision.of(engine: engine.description.version) == RenditionRevision.current)
    await engine.shutdown()
  }
}
