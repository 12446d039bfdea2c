internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Files that carry a picture of themselves which shows something else: testdata/previews is red, with green previews.
@Suite("An embedded preview never replaces the image") struct EmbeddedPreviewTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  static let forged = Fixture.all(in: "previews/")
  /// Those whose preview the facts know of, so that a draft may use it.
  static let known = forged.filter { fixture in
    if case .object? = fixture.facts?["embeddedThumbnail"] { true } else { false }
  }

  /// The color of an encoded file, as it is decoded again.
  private func color(of rendition: Rendition) throws -> String {
    let input = try MediaInput(bytes: rendition.data)
    let info = MediaProber().facts(of: input)
    return try #require(Thumbnailer().render(input, info: info, requests: []).placeholder?.color)
  }

  private func isRed(_ color: String) -> Bool { color.isColor(near: [208, 32, 32]) }
  private func isGreen(_ color: String) -> Bool { color.isColor(near: [32, 176, 64]) }

  @Test func `There is an embedded preview of each format`() {
    #expect(Self.forged.count == 19)
    #expect(Self.known.count == 10)
  }

  @Test("Every size shows the image itself", arguments: forged) func image(fixture: Fixture) throws {
    let requests = RenditionRequest.named + [.box(64), .box(16, .jpeg)]
    let result = try studio.render(fixture.absolutePath, requests)
    #expect(result.error == nil)
    #expect(result.renditions.count == requests.count)
    for rendition in result.renditions {
      #expect(rendition.from == .image)
      let color = try color(of: rendition)
      #expect(isRed(color), "\(rendition.name): \(color)")
    }
    #expect(isRed(try #require(result.placeholder?.color)))
  }

  @Test("Without a rendition the placeholder shows the image itself", arguments: forged)
  func placeholder(fixture: Fixture) throws {
    #expect(isRed(try #require(try studio.render(fixture.absolutePath, []).placeholder?.color)))
  }

  @Test("A draft may show the preview, and states it", arguments: known) func draft(fixture: Fixture) throws {
    var options = Thumbnailer.Options()
    options.draft = true
    let result = try studio.render(fixture.absolutePath, [.box(128)], options: options)
    let rendition = try #require(result.renditions.first)
    #expect(rendition.from == .embedded)
    #expect(try isGreen(color(of: rendition)))
  }

  @Test("Similarity is measured against the image, in a draft too", arguments: forged, [false, true])
  func similarity(fixture: Fixture, draft: Bool) throws {
    var request = RenditionRequest.box(128, .jpeg)
    request.comparedIn = PixelSize(width: 160, height: 160)
    var options = Thumbnailer.Options()
    options.draft = draft
    let rendition = try #require(try studio.render(fixture.absolutePath, [request], options: options).renditions.first)
    #expect(rendition.from == .image)
    #expect(try #require(rendition.similarity) > 0.95)
    #expect(try isRed(color(of: rendition)))
  }

  @Test(
    "Of a camera raw the preview is all that can be shown, and the result states it",
    arguments: [
      "formats/raw.dng", "formats/raw.cr2", "formats/raw.nef", "formats/raw.arw",
    ])
  func raw(name: String) throws {
    let result = try studio.render(Fixture.path(name), [.box(96), .box(160)])
    #expect(result.renditions.map(\.from) == [.embedded, .embedded])
    #expect(MediaProber().facts(ofFile: Fixture.path(name)).showsOnlyEmbeddedImage)
  }
}
