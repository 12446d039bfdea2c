internal import Foundation
internal import MediaModel
internal import Testing

@Suite struct RenditionRequestTests {
  /// docs/design.md §4.
  @Test("The predefined sizes are those of the design")
  func thePredefinedSizesMatchTheDesign() {
    let expected: [(String, Int, Int, RenditionRequest.Fit)] = [
      ("grid", 256, 256, .cover(.centre)), ("grid2x", 512, 512, .cover(.centre)), ("message", 840, 560, .contain),
      ("view", 1_440, 1_440, .contain), ("avatar", 128, 128, .cover(.centre)),
    ]
    #expect(RenditionRequest.named.map(\.name) == expected.map(\.0))
    for (name, width, height, fit) in expected {
      let request = RenditionRequest.named(name)
      #expect(request?.box == PixelSize(width: width, height: height))
      #expect(request?.fit == fit)
    }
    #expect(RenditionRequest.named("Grid") == nil)
    #expect(RenditionRequest.named("") == nil)
  }

  @Test("The defaults of a rendition are those of the design")
  func theDefaultsMatchTheDesign() {
    let request = RenditionRequest(name: "256", box: PixelSize(width: 256, height: 256))
    #expect(request.fit == .contain)
    #expect(request.crop == nil)
    #expect(request.format == .automatic)
    #expect(request.encoding == .quality(nil))
    #expect(request.background == .white)
    #expect(request.colorSpace == .srgb)
    #expect(!request.allowsUpscaling)
    #expect(!request.animated)
  }

  @Test("Every format has its type")
  func everyFormatHasItsType() {
    let types = RenditionRequest.Format.allCases.map(\.type)
    #expect(types == [.webp, .jpeg, .png, .avif, .webp])
    for format in RenditionRequest.Format.allCases { #expect(format.resolved.type == format.type) }
    #expect(RenditionRequest.Format.automatic.resolved == .webp)
  }

  @Test("Every property of a rendition is the same after JSON")
  func everyPropertySurvivesJSON() throws {
    var request = RenditionRequest(name: "x", box: PixelSize(width: 10, height: 20), fit: .cover(.attention))
    request.crop = PixelRect(x: 1, y: 2, width: 3, height: 4)
    request.format = .avif
    request.encoding = .maxBytes(9_000)
    request.background = RenditionRequest.Color(red: 1, green: 2, blue: 3)
    request.colorSpace = .p3
    request.allowsUpscaling = true
    request.animated = true
    #expect(try JSONDecoder().decode(RenditionRequest.self, from: JSONEncoder().encode(request)) == request)
    for named in RenditionRequest.named {
      #expect(try JSONDecoder().decode(RenditionRequest.self, from: JSONEncoder().encode(named)) == named)
    }
  }

  @Test("The keys of a placeholder are those of the command")
  func thePlaceholderKeysMatchTheCommandLineTool() throws {
    let json = try JSONEncoder().encode(Placeholder(thumbhash: "a", blurhash: "b", color: "#000000"))
    #expect(
      try JSONDecoder().decode([String: String].self, from: json)
        == ["thumbhash": "a", "blurhash": "b", "color": "#000000"])
  }

  /// docs/design.md §5.
  @Test("The default limits are those of the design")
  func theLimitsMatchTheDesign() {
    let limits = MediaLimits()
    #expect(limits.bytes == 100 * 1_024 * 1_024)
    #expect(limits.pixels == 16_383 * 16_383)
    #expect(limits.probeSeconds == 2)
    #expect(limits.renderSeconds == 10)
  }
}
