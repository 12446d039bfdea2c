internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// What renditions of testdata show, against what the images were made to show.
@Suite struct FixturePixelTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test(arguments: Fixture.all.filter { $0.pixels != nil })
  func `Every patch has its color and position`(fixture: Fixture) throws {
    let result = try studio.render(fixture.absolutePath, [.box(2_000)])
    let rendition = try #require(result.renditions.first, "\(String(describing: result.error))")
    let image = try studio.pixels(of: rendition)
    for wanted in fixture.pixels ?? [] {
      let found = image[wanted.x, wanted.y]
      if let rgb = wanted.rgb {
        #expect(
          zip(found, rgb).allSatisfy { abs(Int($0) - $1) <= wanted.tolerance },
          "\(found) for \(rgb) at \(wanted.x),\(wanted.y)")
      }
      if let alpha = wanted.alpha {
        #expect(abs(Int(found[3]) - alpha) <= wanted.tolerance, "alpha \(found[3]) at \(wanted.x),\(wanted.y)")
      }
    }
  }

  @Test(arguments: Fixture.all)
  func `Every fixture has a result`(fixture: Fixture) throws {
    let result = try studio.render(fixture.absolutePath, [.box(64, .webp), .box(32, .jpeg, fit: .cover(.attention))])
    #expect(result.renditions.isEmpty || result.renditions.count == 2)
    #expect((result.icon == nil) == (result.renditions.count == 2))
    if case .string(let type) = fixture.facts?["type"], type.hasPrefix("image/"), fixture.facts?["error"] == .null {
      #expect(result.error == nil, "\(String(describing: result.error))")
      #expect(result.placeholder != nil, "\(String(describing: result.error))")
    }
  }

  @Test(arguments: [("formats/thumbnail.heic", [192, 96, 32]), ("formats/thumbnail-broken.heic", [32, 96, 192])])
  func `The image replaces a corrupt embedded thumbnail of a draft`(name: String, rgb: [Int]) throws {
    var options = Thumbnailer.Options()
    options.draft = true
    let result = try studio.render(Fixture.path(name), [.box(120)], options: options)
    #expect(result.error == nil)
    let rendition = try #require(result.renditions.first)
    let found = try studio.pixels(of: rendition)[60, 45]
    #expect(zip(found, rgb).allSatisfy { abs(Int($0) - $1) <= 6 }, "\(found) for \(rgb)")
  }
}
