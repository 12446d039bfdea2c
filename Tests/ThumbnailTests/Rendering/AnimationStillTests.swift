internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// A still of an animation shows what lasts: testdata/animated/flash.* is red for 10 ms and green for 2 s.
@Suite("The still of an animation") struct AnimationStillTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private func center(_ path: String) throws -> [UInt8] {
    let result = try studio.render(path, [.box(96)])
    #expect(result.error == nil, "\(String(describing: result.error))")
    let rendition = try #require(result.renditions.first)
    #expect(rendition.frames == 1)
    return try studio.pixels(of: rendition)[48, 32]
  }

  private func isGreen(_ pixel: [UInt8]) -> Bool { zip(pixel, [32, 176, 64]).allSatisfy { abs(Int($0) - $1) <= 6 } }
  private func isRed(_ pixel: [UInt8]) -> Bool { zip(pixel, [208, 32, 32]).allSatisfy { abs(Int($0) - $1) <= 6 } }

  @Test(
    "The still is the frame that is shown longest",
    arguments: [
      "flash.gif", "flash.png", "flash.webp", "flash.avif", "flash.heics", "default.png",
    ])
  func longest(name: String) throws {
    #expect(isGreen(try center(Fixture.path("animated/\(name)"))))
  }

  @Test("The still is the same in one call with the animation") func together() throws {
    var moving = RenditionRequest.box(48, .webp)
    moving.animated = true
    let result = try studio.render(Fixture.path("animated/flash.avif"), [.box(96), moving])
    #expect(result.renditions.map(\.frames) == [1, 4])
    #expect(isGreen(try studio.pixels(of: try #require(result.renditions.first))[48, 32]))
  }

  @Test("Only the first hundred frames count") func bound() throws {
    for (frames, isFound) in [(99, true), (100, false)] {
      // Frames of 10 ms, then one of 2 s.
      var gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 208, 32, 32, 32, 176, 64]
      for number in 0...frames {
        let isLast = number == frames
        gif += [
          0x21, 0xF9, 4, 0, isLast ? 200 : 1, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, isLast ? 0x4C : 0x44, 1,
          0,
        ]
      }
      let path = studio.folder.path("frames-\(frames).gif")
      try Data(gif + [0x3B]).write(to: URL(fileURLWithPath: path))
      let pixel = try studio.pixels(of: try #require(try studio.render(path, [.box(8)]).renditions.first))[0, 0]
      #expect(isFound ? isGreen(pixel) : isRed(pixel), "\(frames): \(pixel)")
    }
  }

  @Test("Only frames within the limit of pixels are decoded for it") func pixels() throws {
    var options = Thumbnailer.Options()
    for (frames, isFound) in [(3, true), (2, false)] {
      options.limits.animationPixels = 96 * 64 * frames
      let result = try studio.render(Fixture.path("animated/flash.gif"), [.box(96)], options: options)
      let pixel = try studio.pixels(of: try #require(result.renditions.first))[48, 32]
      // Of the first two the second lasts longer, and is blue.
      #expect(isGreen(pixel) == isFound, "\(pixel)")
      #expect(!isRed(pixel))
    }
  }

  /// flash.avif whose item consists of other pieces of the file; those without an offset are the item of box.avif, behind it.
  private func avif(frames: Int, pieces: [(offset: Int?, count: Int)]) throws -> [UInt8] {
    var bytes = try Fixture.bytes("animated/flash.avif")
    let other = try Fixture.bytes("animated/box.avif")
    let end = bytes.count
    func find(_ type: String, _ bytes: [UInt8]) throws -> Int {
      try #require(bytes.indices.first { bytes[$0...].starts(with: Array(type.utf8)) }) + 4
    }
    func number(_ at: Int) -> Int { other[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    func be32(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
    // Version, sizes, count; then of each item its number, the place of the data, the count of pieces, and the pieces.
    let place = try find("iloc", other)
    bytes += other[number(place + 14)..<number(place + 14) + number(place + 18)]
    let items = try find("iloc", bytes)
    var entry: [UInt8] = [0, 1, 0, 1, 0, 0, 0, UInt8(pieces.count)]
    for piece in pieces { entry += be32(piece.offset ?? end) + be32(piece.count) }
    bytes.replaceSubrange(items + 6..<items + 6 + entry.count, with: entry)
    if frames == 1 {
      let sizes = try find("stsz", bytes)
      bytes.replaceSubrange(sizes + 8..<sizes + 12, with: be32(1))
      let chunks = try find("stsc", bytes)
      bytes.replaceSubrange(chunks + 12..<chunks + 16, with: be32(1))
    }
    return bytes
  }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = studio.folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("An animation of a single frame is shown by that, not by the image beside it") func single() throws {
    var png = try Fixture.bytes("animated/default.png")
    let control = try #require(png.indices.first { png[$0...].starts(with: Array("acTL".utf8)) })
    // One frame, played for ever, and the checksum.
    png.replaceSubrange(control + 4..<control + 16, with: [0, 0, 0, 1, 0, 0, 0, 0, 0xB4, 0x2D, 0xE9, 0xA0])
    let green = try write(png, "one.png")
    #expect(isGreen(try center(green)))
    let red = try write(try avif(frames: 1, pieces: [(nil, 75)]), "one.avif")
    #expect(isRed(try center(red)))
    for path in [green, red] {
      #expect(MediaProber().facts(ofFile: path).frames == 1)
      #expect(MediaProber().facts(ofFile: path).tracks == 2)
    }
  }

  @Test("A still image that merely begins like the first frame of a sequence is another image") func beginning() throws
  {
    #expect(MediaProber().facts(ofFile: Fixture.path("animated/flash.avif")).tracks == nil)
    #expect(MediaProber().facts(ofFile: Fixture.path("animated/box.avif")).tracks == nil)
    let two = try write(try avif(frames: 4, pieces: [(0x74E, 2), (nil, 75)]), "two.avif")
    #expect(MediaProber().facts(ofFile: two).tracks == 2)
    // Its item is the first 75 bytes; now the first 74 of them.
    var short = try Fixture.bytes("animated/box.avif")
    let place = try #require(short.indices.first { short[$0...].starts(with: Array("iloc".utf8)) })
    try #require(short[place + 25] == 75)
    short[place + 25] = 74
    #expect(MediaProber().facts(ofFile: try write(short, "short.avif")).tracks == 2)
    // So is one for another configuration of the decoder.
    var bytes = try Fixture.bytes("animated/flash.avif")
    let configuration = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("av1C".utf8)) })
    bytes[configuration + 5] ^= 1
    #expect(MediaProber().facts(ofFile: try write(bytes, "configuration.avif")).tracks == 2)
  }

  @Test("A file whose brand names a still image shows that") func brand() throws {
    var bytes = try Fixture.bytes("animated/flash.avif")
    bytes[11] = UInt8(ascii: "f")
    let path = studio.folder.path("still.avif")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(isRed(try center(path)))
  }

  @Test(
    "A frame that is cut off is replaced by the first one, and the result states the damage",
    arguments: [
      "flash.gif", "flash.png", "flash.webp",
    ])
  func cutOff(name: String) throws {
    let whole = try Fixture.bytes("animated/\(name)")
    // Within the data of the green frame: 2 s is 200, 2,000 of 1,000, or 2,000.
    let delay: [UInt8] =
      name.hasSuffix("gif") ? [200, 0] : name.hasSuffix("png") ? [0x07, 0xD0, 0x03, 0xE8] : [0xD0, 0x07, 0]
    let found = try #require(whole.indices.first { whole[$0...].starts(with: delay) })
    let path = studio.folder.path(name)
    try Data(whole.prefix(found + 24)).write(to: URL(fileURLWithPath: path))
    let result = try studio.render(path, [.box(96)])
    #expect(result.error?.code == .truncated)
    #expect(!isGreen(try studio.pixels(of: try #require(result.renditions.first))[48, 32]))
  }

  @Test("An animated AVIF with alpha is as transparent as the same animation in other formats")
  func alpha() throws {
    var moving = RenditionRequest.box(96, .webp)
    moving.animated = true
    let ours = try studio.write(
      try #require(try studio.render(Fixture.path("animated/disc.avif"), [moving]).renditions.first))
    for frame in 0..<5 {
      let image = try studio.pixels(of: ours + "[page=\(frame)]")
      let other = try studio.pixels(of: Fixture.path("animated/disc.webp") + "[page=\(frame)]")
      try #require(image.size == other.size)
      for (x, y) in [(4, 4), (90, 60), (16, 32), (32, 32), (48, 32), (64, 32), (80, 32)] {
        #expect(abs(Int(image[x, y][3]) - Int(other[x, y][3])) <= 16, "frame \(frame), \(x), \(y): \(image[x, y])")
        guard other[x, y][3] == 255 else { continue }
        #expect(
          zip(image[x, y], other[x, y]).allSatisfy { abs(Int($0) - Int($1)) <= 10 },
          "frame \(frame), \(x), \(y): \(image[x, y]) and \(other[x, y])")
      }
    }
  }

  @Test(
    "Colors that are multiplied by alpha are divided by it",
    arguments: ["premultiplied.avif", "premultiplied-still.avif"])
  func premultiplied(name: String) throws {
    let result = try studio.render(Fixture.path("animated/\(name)"), [.box(96)])
    let image = try studio.pixels(of: try #require(result.renditions.first))
    #expect(zip(image[48, 32], [208, 32, 32, 128]).allSatisfy { abs(Int($0) - $1) <= 8 }, "\(image[48, 32])")
  }

  @Test("Frames are turned as their track states, in stills and in animations", arguments: ["box.avif", "box.heics"])
  func turned(name: String) throws {
    var bytes = try Fixture.bytes("animated/\(name)")
    // The matrix in the header of the track: a quarter turn clockwise in place of none.
    let none: [UInt8] = [0, 1, 0, 0] + Array(repeating: 0, count: 12) + [0, 1, 0, 0]
    let header = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("tkhd".utf8)) })
    let start = try #require(bytes[header...].indices.first { bytes[$0...].starts(with: none) })
    bytes.replaceSubrange(
      start..<start + 20, with: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0])
    let path = studio.folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    var moving = RenditionRequest.box(96, .webp)
    moving.animated = true
    let result = try studio.render(path, [.box(96), moving])
    #expect(result.renditions.map(\.width) == [64, 64])
    #expect(result.renditions.map(\.height) == [96, 96])
    for rendition in result.renditions {
      // The box at the left, between the rows 16 and 39, is at the top now.
      let image = try studio.pixels(of: rendition)
      for (x, y, color) in [(36, 12, [240, 192, 64]), (36, 60, [32, 64, 96]), (10, 12, [32, 64, 96])] {
        #expect(zip(image[x, y], color).allSatisfy { abs(Int($0) - $1) <= 20 }, "\(x), \(y): \(image[x, y])")
      }
    }
  }
}
