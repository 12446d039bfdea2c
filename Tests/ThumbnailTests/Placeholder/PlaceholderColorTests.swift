internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// The placeholder is sRGB, whatever the rendition is that it was made of.
@Suite struct PlaceholderColorTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test(arguments: [[200, 40, 40], [60, 190, 70]] as [[UInt8]])
  func `A wide rendition has the placeholder of the narrow one`(color: [UInt8]) throws {
    let flat = try studio.file("flat.png", of: SyntheticImage.flat(64, 64, color[0], color[1], color[2]))
    let path = studio.folder.path("wide.png")
    try studio.check(studio.vips.run(["icc_transform", flat, path, "p3", "--input-profile", "srgb"]))
    var wide = RenditionRequest.box(32)
    wide.colorSpace = .p3
    let found = try #require(try studio.render(path, [wide]).placeholder)
    let levels = stride(from: 1, to: 7, by: 2).compactMap { at in
      UInt8(found.color.dropFirst(at).prefix(2), radix: 16)
    }
    #expect(levels.count == 3)
    #expect(zip(levels, color).allSatisfy { abs(Int($0) - Int($1)) <= 3 }, "\(found.color) for \(color)")
  }
}
